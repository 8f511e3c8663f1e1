//===- sudoku.c - Counts the solutions of a sudoku ----------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts the solutions of a sudoku from which many clues are missing. The
// argument is how many squares are empty. Each try gets a copy of the board,
// which its parent allocates on the stack.
//
// grain: fine
//
//===----------------------------------------------------------------------===//

#include "../loops/loops.h"
#include <alloca.h>

static const char solved[] = "534678912672195348198342567"
                             "859761423426853791713924856"
                             "961537284287419635345286179";

struct board {
  char square[9][9]; // 0 for an empty one
};

static int allowed(const struct board *b, int row, int column, int digit) {
  for (int i = 0; i < 9; i++) {
    if (b->square[row][i] == digit || b->square[i][column] == digit)
      return 0;
  }
  int top = row / 3 * 3, left = column / 3 * 3;
  for (int i = top; i < top + 3; i++)
    for (int j = left; j < left + 3; j++)
      if (b->square[i][j] == digit)
        return 0;
  return 1;
}

static long solutions(const struct board *b, int position) {
  while (position < 81 && b->square[position / 9][position % 9] != 0)
    position++;
  if (position == 81)
    return 1;

  int row = position / 9, column = position % 9;
  long found[10];
  memset(found, 0, sizeof found);
  for (int digit = 1; digit <= 9; digit++) {
    if (allowed(b, row, column, digit)) {
      struct board *copy = alloca(sizeof *copy);
      *copy = *b;
      copy->square[row][column] = (char)digit;
      found[digit] = cilk_spawn solutions(copy, position + 1);
    }
  }
  cilk_sync;

  long sum = 0;
  for (int digit = 1; digit <= 9; digit++)
    sum += found[digit];
  return sum;
}

int main(int argc, char **argv) {
  int empty = (int)first_argument(argc, argv, 55, 40);
  CHECK(empty <= 81);
  struct board board;
  for (int i = 0; i < 81; i++)
    board.square[i / 9][i % 9] = solved[i] - '0';
  for (int i = 0; empty > 0; i++) {
    char *square = &board.square[0][0] + scramble(i) % 81;
    empty -= *square != 0;
    *square = 0;
  }

  stopwatch watch = stopwatch_start();
  long count = solutions(&board, 0);
  stopwatch_stop(watch);

  printf("%ld solutions\n", count);
  return 0;
}
