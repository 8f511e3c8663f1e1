//===- spawn-loops.c - Spawns in every kind of loop ---------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Spawns in nested for, while and do loops, in switch cases inside them, behind
// labels, in statements without braces, with break, continue and goto, in the
// header of a for, and in statement expressions.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>
#include <string.h>

static unsigned char seen[4][32][32];

static void mark(int which, int i, int k) { ++seen[which][i][k]; }
static int twice(int n) { return 2 * n; }

static void fors(int n) {
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k)
      if (k < i)
        cilk_spawn mark(0, i, k);
      else if (k == i)
        continue;
      else
        cilk_spawn mark(0, i, k);
}

static void whiles(int n) {
  int i = 0;
  while (i < n) {
    int k = 0;
    do {
      if (k > i)
        break;
      cilk_spawn mark(1, i, k);
    } while (++k < n);
    ++i;
  }
}

static void switches(int n) {
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k)
      switch ((i + k) % 4) {
      case 0:
        cilk_spawn mark(2, i, k);
        break;
      case 1:
      case 2:
        if (i > k)
          break;
      label:
        cilk_spawn mark(2, i, k);
        break;
      default:
        goto label;
      }
}

static void gotos(int n) {
  int i = 0, k;
outer:
  k = 0;
inner:
  cilk_spawn mark(3, i, k);
  if (++k < n)
    goto inner;
  if (++i < n)
    goto outer;
}

static int headers(int n) {
  int x = 0, sum = 0;
  for (x = cilk_spawn twice(n); n > 0; sum += cilk_spawn twice(n))
    --n;
  cilk_sync;
  return x + sum;
}

static int statement_expression(int n) {
  int value = ({
    int a = cilk_spawn twice(n);
    int b = cilk_spawn twice(n + 1);
    cilk_sync;
    a *b;
  });
  return value + 1;
}

int main(void) {
  enum { N = 32 };
  for (int round = 1; round < 3; ++round) {
    fors(N);
    whiles(N);
    switches(N);
    gotos(N);
    for (int i = 0; i < N; ++i)
      for (int k = 0; k < N; ++k) {
        int kind = (i + k) % 4;
        CHECK_EQUAL(seen[0][i][k], i == k ? 0 : round);
        CHECK_EQUAL(seen[1][i][k], k <= i ? round : 0);
        CHECK_EQUAL(seen[2][i][k],
                    (kind == 1 || kind == 2) && i > k ? 0 : round);
        CHECK_EQUAL(seen[3][i][k], round);
      }
  }
  CHECK_EQUAL(headers(10), 20 + 90);
  CHECK_EQUAL(statement_expression(3), 6 * 8 + 1);
  puts("loops");
  return 0;
}
