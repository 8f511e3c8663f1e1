//===- life-branch.c - Game of life, wrapping around by conditions *- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cells are ints, and the neighbouring rows and columns are chosen by
// comparison. The generations are a loop in main that swaps the worlds.
//
//===----------------------------------------------------------------------===//

#include "loops.h"

static int next_state(int self, int neighbours) {
  if (self)
    return neighbours == 2 || neighbours == 3;
  return neighbours == 3;
}

int main(int argc, char **argv) {
  const int n = (int)first_argument(argc, argv, 500, 16);
  const int generations = 200;
  int *cells = malloc(sizeof(int) * n * n);
  int *other = malloc(sizeof(int) * n * n);
  CHECK(cells && other);
  for (int i = 0; i < n * n; i++)
    cells[i] = scramble(i) % 4 == 0;

  stopwatch watch = stopwatch_start();
  for (int g = 0; g < generations; g++) {
    cilk_for (int y = 0; y < n; y++) {
      int up = y == 0 ? n - 1 : y - 1;
      int down = y == n - 1 ? 0 : y + 1;
      for (int x = 0; x < n; x++) {
        int left = x == 0 ? n - 1 : x - 1;
        int right = x == n - 1 ? 0 : x + 1;
        int sum = cells[up * n + left] + cells[up * n + x] +
                  cells[up * n + right] + cells[y * n + left] +
                  cells[y * n + right] + cells[down * n + left] +
                  cells[down * n + x] + cells[down * n + right];
        other[y * n + x] = next_state(cells[y * n + x], sum);
      }
    }
    int *swap = cells;
    cells = other;
    other = swap;
  }
  stopwatch_stop(watch);

  report("life-branch", cells, sizeof(int) * n * n);
  free(cells);
  free(other);
  return 0;
}
