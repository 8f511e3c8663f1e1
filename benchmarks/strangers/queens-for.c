//===- queens-for.c - N-queens with a loop over the columns -------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As somebody wrote it who knew the manual alone: a parallel loop over the
// columns of a row, and each iteration has a board of its own. The argument is
// the number of queens.
//
// grain: classic
//
//===----------------------------------------------------------------------===//

#include "../loops/loops.h"

#define MAX 16

static int ok(int n, const int *a) {
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++) {
      int d = a[j] - a[i];
      if (d == 0 || d == j - i || d == i - j)
        return 0;
    }
  return 1;
}

static int queens(int n, int row, const int board[]) {
  if (row == n)
    return 1;
  int found[MAX] = {0};
  cilk_for (int col = 0; col < n; col++) {
    int mine[MAX];
    for (int i = 0; i < row; i++)
      mine[i] = board[i];
    mine[row] = col;
    if (ok(row + 1, mine))
      found[col] = queens(n, row + 1, mine);
  }
  int total = 0;
  for (int col = 0; col < n; col++)
    total += found[col];
  return total;
}

int main(int argc, char **argv) {
  int n = (int)first_argument(argc, argv, 12, 7);
  CHECK(n <= MAX);
  int board[MAX];
  stopwatch watch = stopwatch_start();
  int solutions = queens(n, 0, board);
  stopwatch_stop(watch);
  printf("%d queens: %d\n", n, solutions);
  return 0;
}
