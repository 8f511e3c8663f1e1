//===- nqueens-bits.c - N-queens on bit masks, portable -----------*- C -*-===//
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
#include "../programs/nqueens-bits.c"
#undef main

FUNCTION_4(int, place_task, unsigned, all, unsigned, columns, unsigned, rising,
           unsigned, falling) {
  if (columns == all)
    LEAVE(1);
  int count[32], forks = 0, solutions = 0;
  unsigned open = all & ~(columns | rising | falling);
  GROUP;
  while (open) {
    unsigned queen = open & -open;
    open ^= queen;
    FORK(count[forks], place_task, all, columns | queen, (rising | queen) << 1,
         (falling | queen) >> 1);
    ++forks;
  }
  WAIT;
  for (int i = forks; i-- > 0;) {
    JOIN(count[i], place_task);
    solutions += count[i];
  }
  RETURN(solutions);
}

int main(int argc, char **argv) {
  START;
  int n = (int)argument(argc, argv, 1, 7), solutions;
  stopwatch watch = stopwatch_start();
  RUN(solutions, place_task, (1u << n) - 1, 0, 0, 0);
  stopwatch_stop(watch);
  printf("nqueens(%d) = %d\n", n, solutions);
  STOP;
  return 0;
}
