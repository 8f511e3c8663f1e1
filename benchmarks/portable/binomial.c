//===- binomial.c - Pascal's recurrence, portable -----------------*- C -*-===//
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
#include "../../test/Workloads/binomial.c"
#undef main

FUNCTION_2(long, choose_task, int, n, int, k) {
  if (k == 0 || k == n)
    LEAVE(1);
  long with, without;
  GROUP;
  FORK(with, choose_task, n - 1, k - 1);
  CALL_TO(without, choose_task, n - 1, k);
  WAIT;
  JOIN(with, choose_task);
  RETURN(with + without);
}

int main(int argc, char **argv) {
  START;
  int n = (int)argument(argc, argv, 1, 20), k = (int)argument(argc, argv, 2, 8);
  long found;
  stopwatch watch = stopwatch_start();
  RUN(found, choose_task, n, k);
  stopwatch_stop(watch);
  printf("choose %d of %d: %ld\n", k, n, found);
  STOP;
  return 0;
}
