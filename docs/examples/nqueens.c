//===- nqueens.c - How many ways to place n queens ----------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Spawns in a loop: each child gets a board of its own, which lives until the
// function returns, and its count goes to an array element.
//   cilk2chan -O2 nqueens.c -o nqueens && ./nqueens 12
//
//===----------------------------------------------------------------------===//
// VGIW-ARGS: 6

#include <alloca.h>
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Is the queen of the last row attacked by one of the rows above? */
static int attacked(int rows, const char *board) {
  int last = rows - 1;
  for (int row = 0; row < last; ++row) {
    int distance = abs(board[last] - board[row]);
    if (distance == 0 || distance == last - row)
      return 1;
  }
  return 0;
}

long nqueens(int n, int rows, const char *board) {
  if (rows == n)
    return 1;
  long *count = alloca(n * sizeof *count);
  memset(count, 0, n * sizeof *count);
  for (int column = 0; column < n; ++column) {
    char *next = alloca(rows + 1);
    memcpy(next, board, rows);
    next[rows] = (char)column;
    if (!attacked(rows + 1, next))
      count[column] = cilk_spawn nqueens(n, rows + 1, next);
  }
  cilk_sync;
  long sum = 0;
  for (int column = 0; column < n; ++column)
    sum += count[column];
  return sum;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 10;
  printf("%d queens: %ld ways\n", n, nqueens(n, 0, ""));
  return 0;
}
