//===- fibonacci.c - ISCA'14: Fibonacci ---------------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Figure 8 of the paper: 1 for n <= 2, otherwise two spawns and the sum behind
// a sync. Two kernel nodes: the one before the sync and the one behind it. Table
// 3 has n = 24, whose tree has 92,735 tasks, and 46,367 of them continue behind
// a sync. If each level of the tree is dispatched in wavefronts of 64 threads,
// these are 1458 + 734 = 2192 wavefronts, which is the number of Table 3.
//
//   $ fibonacci 24
//   fibonacci 24: 46368
//   ok
//
//===----------------------------------------------------------------------===//

#include "isca14.h"

static int fib(int n) {
  if (n <= 2)
    return 1;
  int x = cilk_spawn fib(n - 1);
  int y = cilk_spawn fib(n - 2);
  cilk_sync;
  return x + y;
}

static int fib_by_adding(int n) {
  int last = 0, current = 1;
  for (int i = 1; i < n; ++i) {
    int next = last + current;
    last = current;
    current = next;
  }
  return current;
}

int main(int argc, char **argv) {
  int n = size_argument(argc, argv, 1, 24, 1, 46);
  int result = fib(n);
  printf("fibonacci %d: %d\n", n, result);
  if (result != fib_by_adding(n))
    WRONG("fibonacci %d: %d, not %d", n, result, fib_by_adding(n));
  return report_ok();
}
