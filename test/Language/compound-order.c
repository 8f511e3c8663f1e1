//===- compound-order.c - Compound assignments in spawn order -----*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pending compound assignments to one variable are applied in spawn order:
// operators that do not commute, mixed ones, floating point, across iterations,
// and conversions at each step.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>

static long give(long n, int deep) {
  if (deep) {
    long same = cilk_spawn give(n, deep - 1);
    cilk_sync;
    return same;
  }
  return n;
}

static double share(int i) {
  double below = 0;
  if (i % 3 == 0 && i > 0)
    below += cilk_spawn share(i - 1);
  cilk_sync;
  return below / 3 + 1.0 / (i + 1);
}

static long mixed(long x) {
  x += cilk_spawn give(3, 5); /* the deepest child comes first */
  x *= cilk_spawn give(7, 0);
  x -= cilk_spawn give(11, 2);
  x %= cilk_spawn give(1000, 1);
  x <<= cilk_spawn give(2, 0);
  cilk_sync;
  return x;
}

static unsigned polynomial(int n) {
  unsigned value = 0;
  for (int i = 0; i < n; ++i) {
    value *= cilk_spawn give(31, i % 4);
    value += cilk_spawn give(i, 3 - i % 4);
  }
  cilk_sync;
  return value;
}

static double harmonic(int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += cilk_spawn share(i);
  cilk_sync;
  return sum;
}

static float alternating(int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i)
    if (i % 2)
      sum -= cilk_spawn share(i);
    else
      sum += cilk_spawn share(i);
  cilk_sync;
  return sum;
}

/* An int that takes doubles is rounded down at every step. */
static int rounded(int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i)
    sum += cilk_spawn share(i % 5);
  cilk_sync;
  return sum;
}

int main(void) {
  CHECK_EQUAL(mixed(5), ((5 + 3) * 7 - 11) % 1000 << 2);
  unsigned value = 0;
  double sum = 0;
  float both = 0;
  int whole = 0;
  for (int i = 0; i < 300; ++i) {
    value = value * 31 + (unsigned)i;
    sum += share(i);
    both = (float)(i % 2 ? both - share(i) : both + share(i));
    whole = (int)(whole + share(i % 5));
  }
  CHECK_EQUAL(polynomial(300), value);
  CHECK(harmonic(300) == sum);
  CHECK(alternating(300) == both);
  CHECK_EQUAL(rounded(300), whole);
  printf("%u %.12f %.6f\n", value, sum, both);
  return 0;
}
