//===- sync-control-flow.c - Sync in loops, switch and goto -------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sync anywhere a statement may stand: in while, do, for and nested loops
// with break and continue, in a switch that falls through, behind labels, in
// loops made of goto, and twice in a row.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// VGIW-SAMPLE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>

static int add(int a, int b) { return a + b; }

static int loops(int n) {
  int total = 0, x = 0, i = 0;
  while (i < n) {
    x = cilk_spawn add(x, i);
    cilk_sync;
    if (++i % 3 == 0)
      continue;
    total += x;
    if (total > 5000)
      break;
  }
  do {
    int y = cilk_spawn add(total, 1);
    cilk_sync;
    total = y;
  } while (total % 16);
  for (int k = 0;; ++k) {
    for (int j = 0; j < k; ++j) {
      total = cilk_spawn add(total, j);
      cilk_sync;
    }
    cilk_sync;
    cilk_sync;
    if (k == 6)
      return total;
  }
}

static int loops_serially(int n) {
  int total = 0, x = 0, i = 0;
  while (i < n) {
    x += i;
    if (++i % 3 == 0)
      continue;
    total += x;
    if (total > 5000)
      break;
  }
  do
    ++total;
  while (total % 16);
  return total + 0 + 1 + 3 + 6 + 10 + 15;
}

static int switches(int n) {
  int a = 1, b = 2, trace = 0;
  for (int round = 0; round < 6; ++round) {
    switch ((n + round) % 6) {
    case 0:
      a = cilk_spawn add(a, n);
    case 1:
      cilk_sync;
      trace = trace * 3 + a;
      break;
    case 2:
      b = cilk_spawn add(b, round);
      break;
    case 3: {
      cilk_sync;
      int c = cilk_spawn add(a, b);
      cilk_sync;
      trace += c;
    } /* falls through */
    default:
      trace ^= 5;
      cilk_sync;
      continue;
    case 5:
      a += cilk_spawn add(round, 1);
    }
    cilk_sync;
    trace += b;
  }
  return trace + a + b;
}

static int switches_serially(int n) {
  int a = 1, b = 2, trace = 0;
  for (int round = 0; round < 6; ++round) {
    int kind = (n + round) % 6;
    if (kind == 0)
      a += n;
    if (kind <= 1)
      trace = trace * 3 + a;
    if (kind == 2)
      b += round;
    if (kind == 3)
      trace += a + b;
    if (kind == 3 || kind == 4) {
      trace ^= 5;
      continue;
    }
    if (kind == 5)
      a += round + 1;
    trace += b;
  }
  return trace + a + b;
}

/* Collatz steps, with the loop made of labels and entered in the middle. */
static int gotos(int n, int start_inside) {
  int steps = 0;
  if (start_inside)
    goto inside;
top:
  if (n == 1)
    goto done;
inside:
  if (n % 2)
    goto odd;
  n = cilk_spawn add(n / 2, 0);
  goto join;
odd:
  n = cilk_spawn add(3 * n, 1);
join:
  cilk_sync;
  steps = cilk_spawn add(steps, 1);
  cilk_sync;
  goto top;
done:
  cilk_sync;
  return steps;
}

static int gotos_serially(int n) {
  int steps = 0;
  do {
    n = n % 2 ? 3 * n + 1 : n / 2;
    ++steps;
  } while (n != 1);
  return steps;
}

int main(void) {
  for (int n = 0; n < 60; ++n) {
    CHECK_EQUAL(loops(n), loops_serially(n));
    CHECK_EQUAL(switches(n), switches_serially(n));
  }
  for (int n = 2; n < 40; ++n)
    for (int inside = 0; inside < 2; ++inside)
      CHECK_EQUAL(gotos(n, inside), gotos_serially(n));
  CHECK_EQUAL(gotos(1, 0), 0);
  CHECK_EQUAL(gotos(1, 1), 3);
  printf("%d %d %d\n", loops(40), switches(4), gotos(27, 0));
  return 0;
}
