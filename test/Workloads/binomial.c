//===- binomial.c - Pascal's recurrence ---------------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// C(n, k) by spawning both terms of its recurrence; the product formula gives
// the same.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// VGIW-ARGS: 14 5

#include "../Support/check.h"
#include "../Support/stopwatch.h"
#include <cilk/cilk.h>

static long choose(int n, int k) {
  if (k == 0 || k == n)
    return 1;
  long with = cilk_spawn choose(n - 1, k - 1);
  long without = cilk_spawn choose(n - 1, k);
  cilk_sync;
  return with + without;
}

static long product(int n, int k) {
  long value = 1;
  for (int i = 1; i <= k; ++i)
    value = value * (n - k + i) / i;
  return value;
}

int main(int argc, char **argv) {
  int n = (int)argument(argc, argv, 1, 20), k = (int)argument(argc, argv, 2, 8);
  CHECK(0 <= k && k <= n);
  stopwatch watch = stopwatch_start();
  long found = choose(n, k);
  stopwatch_stop(watch);
  CHECK_EQUAL(found, product(n, k));
  for (int i = 0; i <= 10; ++i)
    CHECK_EQUAL(choose(10, i), choose(10, 10 - i));
  printf("choose %d of %d: %ld\n", k, n, found);
  return 0;
}
