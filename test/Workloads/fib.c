//===- fib.c - ISCA'14 section 7.1: Fibonacci ---------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both recursive calls spawned. Checked against the iterative sum.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// BENCH-ARGS: 38
// VGIW-ARGS: 16
// VGIW-SAMPLE: yes

#include "../Support/check.h"
#include "../Support/stopwatch.h"
#include <cilk/cilk.h>

static long fib(int n) {
  if (n < 2)
    return n;
  long x, y;
  x = cilk_spawn fib(n - 1);
  y = cilk_spawn fib(n - 2);
  cilk_sync;
  return x + y;
}

static long fib_by_adding(int n) {
  long current = 0, next = 1;
  for (int i = 0; i < n; ++i) {
    long sum = current + next;
    current = next;
    next = sum;
  }
  return current;
}

int main(int argc, char **argv) {
  int n = (int)argument(argc, argv, 1, 23);
  stopwatch watch = stopwatch_start();
  long result = fib(n);
  stopwatch_stop(watch);
  CHECK_EQUAL(result, fib_by_adding(n));
  printf("fib(%d) = %ld\n", n, result);
  return 0;
}
