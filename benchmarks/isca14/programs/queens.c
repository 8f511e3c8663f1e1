//===- queens.c - ISCA'14: N queens -------------------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts the ways to place N queens on a board of N x N squares. A task has a
// board with queens in its first rows. It tries each column of the next row,
// and spawns a task for each that no queen attacks. Behind the sync, it adds up
// what they found. That is the structure of the program in the MIT Cilk
// distribution: there, the parent copies an array of N bytes for each child.
// Here, a board is one word, and so a field of a channel element:
//
//   bits   3 2 1 0 = column of the queen in row 0     queen(board, 0)
//   bits   7 6 5 4 = column of the queen in row 1     queen(board, 1)
//   ...
//
// So the largest board has 16 rows. The paper's base case is "a 4x4 sub-section
// of the chessboard": when four rows are left, four columns are left too. One
// task counts the placements in them without spawns. Two kernel nodes.
//
// Table 3 has N = 13 and 1,114 wavefronts of 64 threads. With a wavefront for 64
// tasks of a level, before and behind the sync, base cases of four rows would
// need 54,460. Base cases of 7 rows need 3,057, and of 8 rows 732. So the paper
// does not tell all of its program. The second argument is the number of rows of
// a base case.
//
//   $ queens 8          # base cases of 4 rows
//   queens 8: 92
//   ok
//   $ queens 13 8       # base cases of 8 rows
//
//===----------------------------------------------------------------------===//

#include "isca14.h"

enum { MostRows = 16 };

/* The same for all tasks: rows of the board, and of a base case. */
static int size, base_rows;

// count from here
static int queen(uint64_t board, int row) {
  return (int)(board >> (4 * row) & 15);
}

static uint64_t with_queen(uint64_t board, int row, int column) {
  uint64_t others = board & ~((uint64_t)15 << (4 * row));
  return others | (uint64_t)column << (4 * row);
}

/* Whether no queen of an earlier row attacks this square. */
static int safe(uint64_t board, int row, int column) {
  for (int other = 0; other < row; ++other) {
    int distance = queen(board, other) - column;
    if (distance == 0 || distance == row - other || distance == other - row)
      return 0;
  }
  return 1;
}

/* Backtracking: the board is the stack. Each step looks at one square, so that
   the threads of a wavefront come together again behind it. */
static int count_serially(uint64_t board, int row) {
  int first = row, column = 0, found = 0;
  while (column < size || row > first) {
    if (column == size) {
      column = queen(board, --row) + 1;
    } else if (!safe(board, row, column)) {
      ++column;
    } else if (row == size - 1) {
      ++found;
      ++column;
    } else {
      board = with_queen(board, row++, column);
      column = 0;
    }
  }
  return found;
}

static int queens(uint64_t board, int row) {
  if (row >= size - base_rows)
    return count_serially(board, row);
  int count[MostRows];
  for (int column = 0; column < size; ++column) {
    count[column] = 0;
    if (safe(board, row, column))
      count[column] =
          cilk_spawn queens(with_queen(board, row, column), row + 1);
  }
  cilk_sync;
  int total = 0;
  for (int column = 0; column < size; ++column)
    total += count[column];
  return total;
}
// to here

int main(int argc, char **argv) {
  static const int known[MostRows + 1] = {
      0,   1,   0,    0,     2,     10,     4,       40,      92,
      352, 724, 2680, 14200, 73712, 365596, 2279184, 14772512};
  size = size_argument(argc, argv, 1, 13, 1, MostRows);
  base_rows = size_argument(argc, argv, 2, 4, 1, MostRows);
  int found = queens(0, 0);
  printf("queens %d: %d\n", size, found);
  if (found != known[size])
    WRONG("queens %d: %d, not %d", size, found, known[size]);
  return report_ok();
}
