//===- call-known.c - Plain calls of spawning functions -----------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plain calls of spawning functions from spawning functions: of themselves, of
// others, in expressions, as arguments of each other, in conditions, in loops,
// with struct results, and while children are outstanding.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// VGIW-SAMPLE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>

struct wide {
  long v[5];
};

static long sum_to(int n) {
  if (n == 0)
    return 0;
  long half = cilk_spawn sum_to(n - 1);
  cilk_sync;
  return half + n;
}

static struct wide widen(long n) {
  struct wide w;
  for (int i = 0; i < 5; ++i)
    w.v[i] = cilk_spawn sum_to((int)n + i);
  cilk_sync;
  return w;
}

static int outstanding[3];
static void later(int i) { outstanding[i] = i + 1; }

static long expressions(int n) {
  for (int i = 0; i < 3; ++i)
    cilk_spawn later(i);
  long x = sum_to(n) * 2 + sum_to(sum_to(3) % 4) - widen(2).v[3];
  if (sum_to(n) > 10 && widen(n).v[0] == sum_to(n))
    x += 1000;
  for (int i = 0; sum_to(i) < 20; ++i)
    x += sum_to(i);
  struct wide w = widen(n);
  cilk_sync;
  for (int i = 0; i < 3; ++i)
    CHECK_EQUAL(outstanding[i], i + 1);
  return x + w.v[4];
}

/* Called, not spawned, and the call is all there is. */
static long only_calls(int n) {
  if (n <= 0)
    return 1;
  return only_calls(n - 1) + expressions(1) % 7;
}

static long ackermann(long m, long n) {
  if (m == 0)
    return n + 1;
  long inner = 1;
  if (n > 0)
    inner = cilk_spawn ackermann(m, n - 1);
  cilk_sync;
  return ackermann(m - 1, inner);
}

int main(void) {
  long n = 6, t = n * (n + 1) / 2;
  CHECK_EQUAL(expressions((int)n), 2 * t + 3 - 15 + 1000 +
                                       (0 + 1 + 3 + 6 + 10 + 15) +
                                       (n + 4) * (n + 5) / 2);
  long one = 2 * 1 + 3 - 15 + 35 + 15;
  CHECK_EQUAL(expressions(1), one);
  CHECK_EQUAL(only_calls(5), 1 + 5 * (one % 7));
  CHECK_EQUAL(ackermann(2, 6), 15);
  printf("%ld\n", ackermann(2, 9));
  return 0;
}
