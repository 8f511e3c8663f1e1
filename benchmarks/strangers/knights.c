//===- knights.c - Counts knight's tours --------------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts the open knight's tours of a board of five rows, from all squares. The
// argument is the number of columns. Each move gets a copy of the whole tour so
// far, a struct that is passed by value.
//
// grain: fine
//
//===----------------------------------------------------------------------===//

#include "../loops/loops.h"

#define ROWS 5
#define MAX_COLUMNS 7

typedef struct {
  char visited[ROWS * MAX_COLUMNS];
  int row, column;
  int left; // squares that are still to be visited
} Tour;

static const int row_steps[8] = {1, 2, 2, 1, -1, -2, -2, -1};
static const int column_steps[8] = {2, 1, -1, -2, -2, -1, 1, 2};

int columns;

static int on_board(int row, int column) {
  return row >= 0 && row < ROWS && column >= 0 && column < columns;
}

long count_tours(Tour tour) {
  tour.visited[tour.row * columns + tour.column] = 1;
  tour.left--;
  if (tour.left == 0)
    return 1;

  long counts[8] = {0};
  for (int i = 0; i < 8; i++) {
    int row = tour.row + row_steps[i];
    int column = tour.column + column_steps[i];
    if (!on_board(row, column) || tour.visited[row * columns + column])
      continue;
    Tour next = tour;
    next.row = row;
    next.column = column;
    counts[i] = cilk_spawn count_tours(next);
  }
  cilk_sync;

  long total = 0;
  for (int i = 0; i < 8; i++)
    total += counts[i];
  return total;
}

static long count_all(void) {
  long counts[ROWS * MAX_COLUMNS];
  for (int square = 0; square < ROWS * columns; square++) {
    Tour start = {{0}, square / columns, square % columns, ROWS * columns};
    counts[square] = cilk_spawn count_tours(start);
  }
  cilk_sync;
  long total = 0;
  for (int square = 0; square < ROWS * columns; square++)
    total += counts[square];
  return total;
}

int main(int argc, char **argv) {
  columns = (int)first_argument(argc, argv, 5, 3);
  CHECK(columns <= MAX_COLUMNS);

  stopwatch watch = stopwatch_start();
  long total = count_all();
  stopwatch_stop(watch);

  printf("%ld tours of %d x %d squares\n", total, ROWS, columns);
  return 0;
}
