//===- nqueens-pairs.c - N-queens as in Cilk-5's examples ---------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The classic program, which courses and other systems have taken over: a byte
// per queen, a board on the stack for each square, and a test of all pairs of
// queens, also of those that have been tested before.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// VGIW-ARGS: 5

#include "../Support/check.h"
#include "../Support/stopwatch.h"
#include <alloca.h>
#include <cilk/cilk.h>
#include <string.h>

static int ok(int n, const char *board) {
  for (int i = 0; i < n; i++) {
    char p = board[i];
    for (int j = i + 1; j < n; j++) {
      char q = board[j];
      if (q == p || q == p - (j - i) || q == p + (j - i))
        return 0;
    }
  }
  return 1;
}

int nqueens(int n, int row, const char *board) {
  if (row == n)
    return 1;
  int *count = alloca(n * sizeof(int));
  memset(count, 0, n * sizeof(int));
  for (int column = 0; column < n; column++) {
    char *next = alloca(row + 1);
    memcpy(next, board, row);
    next[row] = (char)column;
    if (ok(row + 1, next))
      count[column] = cilk_spawn nqueens(n, row + 1, next);
  }
  cilk_sync;
  int solutions = 0;
  for (int column = 0; column < n; column++)
    solutions += count[column];
  return solutions;
}

int main(int argc, char **argv) {
  // The numbers of solutions: https://oeis.org/A000170.
  static const int known[] = {1,  1,  0,   0,   2,    10,    4,
                              40, 92, 352, 724, 2680, 14200, 73712};
  int n = (int)argument(argc, argv, 1, 8);
  char empty = 0;
  stopwatch watch = stopwatch_start();
  int solutions = nqueens(n, 0, &empty);
  stopwatch_stop(watch);
  if (n < (int)(sizeof known / sizeof *known))
    CHECK_EQUAL(solutions, known[n]);
  printf("nqueens(%d) = %d\n", n, solutions);
  return 0;
}
