//===- nqueens.c - N-queens on boards, portable -------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See peer.h. The boards of all children are allocated together.
//
//===----------------------------------------------------------------------===//

#include "../peers/peer.h"

#define main elided_main
#include "../../test/Workloads/nqueens.c"
#undef main

FUNCTION_3(int, nqueens_task, int, n, int, rows, char *, board) {
  if (rows == n)
    LEAVE(1);
  GROUP;
  ARRAY(int, count, n);
  ARRAY(char, boards, n *(rows + 1));
  int forks = 0, solutions = 0;
  for (int i = 0; i < n; i++) {
    char *next = boards + forks * (rows + 1);
    memcpy(next, board, rows);
    next[rows] = (char)i;
    if (safe(rows + 1, next)) {
      FORK(count[forks], nqueens_task, n, rows + 1, next);
      ++forks;
    }
  }
  WAIT;
  for (int i = forks; i-- > 0;) {
    JOIN(count[i], nqueens_task);
    solutions += count[i];
  }
  RETURN(solutions);
}

int main(int argc, char **argv) {
  START;
  int n = (int)argument(argc, argv, 1, 9), solutions;
  char empty = 0, *board = &empty;
  stopwatch watch = stopwatch_start();
  RUN(solutions, nqueens_task, n, 0, board);
  stopwatch_stop(watch);
  printf("nqueens(%d) = %d\n", n, solutions);
  STOP;
  return 0;
}
