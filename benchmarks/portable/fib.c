//===- fib.c - Fibonacci, portable --------------------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See peer.h.
//
//===----------------------------------------------------------------------===//

#include "../peers/peer.h"

#define main elided_main
#include "../programs/fib.c"
#undef main

FUNCTION_1(int, fib_task, int, n) {
  if (n < 2)
    LEAVE(n);
  int x, y;
  GROUP;
  FORK(x, fib_task, n - 1);
  CALL_TO(y, fib_task, n - 2);
  WAIT;
  JOIN(x, fib_task);
  RETURN(x + y);
}

int main(int argc, char **argv) {
  START;
  int n = (int)argument(argc, argv, 1, 20);
  int result;
  stopwatch watch = stopwatch_start();
  RUN(result, fib_task, n);
  stopwatch_stop(watch);
  printf("fib(%d) = %d\n", n, result);
  STOP;
  return 0;
}
