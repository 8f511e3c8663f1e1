//===- nqueens.c - ISCA'14 section 7.1: N-queens on boards --------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One byte per queen, one alloca'ed board per spawn, Cilk-5 words. Checked
// against a bit mask search without boards and without spawns.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// VGIW-ARGS: 6
// VGIW-SAMPLE: yes

#include "../Support/check.h"
#include "../Support/stopwatch.h"
#include <alloca.h>
#include <string.h>

static int safe(int rows, const char *board) {
  for (int row = 0; row < rows - 1; ++row) {
    int distance = board[rows - 1] - board[row];
    if (distance == 0 || distance == rows - 1 - row ||
        -distance == rows - 1 - row)
      return 0;
  }
  return 1;
}

cilk int nqueens(int n, int rows, char *board) {
  if (rows == n)
    return 1;

  int *count = (int *)alloca(n * sizeof(int));
  memset(count, 0, n * sizeof(int));
  for (int i = 0; i < n; i++) {
    char *next = (char *)alloca(rows + 1);
    memcpy(next, board, rows);
    next[rows] = (char)i;
    if (safe(rows + 1, next))
      count[i] = spawn nqueens(n, rows + 1, next);
  }
  sync;

  int solutions = 0;
  for (int i = 0; i < n; i++)
    solutions += count[i];
  return solutions;
}

static int by_masks(int free, int columns, int rising, int falling) {
  if (!free)
    return 1;
  int all = columns | free, solutions = 0;
  for (int open = free & ~(rising | falling); open; open &= open - 1) {
    int queen = open & -open;
    solutions += by_masks(free & ~queen, all & ~(free & ~queen),
                          (rising | queen) << 1, (falling | queen) >> 1);
  }
  return solutions;
}

int main(int argc, char **argv) {
  int n = (int)argument(argc, argv, 1, 9);
  char empty = 0;
  stopwatch watch = stopwatch_start();
  int solutions = nqueens(n, 0, &empty);
  stopwatch_stop(watch);
  CHECK_EQUAL(solutions, by_masks((1 << n) - 1, 0, 0, 0));
  printf("nqueens(%d) = %d\n", n, solutions);
  return 0;
}
