//===- fib.c - Fibonacci ------------------------------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One call spawned, one called. Nothing but the cost of tasks.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// VGIW-ARGS: 12

#include "../../test/Support/check.h"
#include "../../test/Support/stopwatch.h"
#include <cilk/cilk.h>

static int fib(int n) {
  if (n < 2)
    return n;
  int x = cilk_spawn fib(n - 1);
  int y = fib(n - 2);
  cilk_sync;
  return x + y;
}

int main(int argc, char **argv) {
  int n = (int)argument(argc, argv, 1, 20);
  stopwatch watch = stopwatch_start();
  int result = fib(n);
  stopwatch_stop(watch);
  printf("fib(%d) = %d\n", n, result);
  return 0;
}
