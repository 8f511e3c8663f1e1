//===- life-padded.c - Game of life in a padded static world ------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two worlds in one global array, selected by the parity of the generation.
// The border holds copies of the opposite sides.
//
//===----------------------------------------------------------------------===//

#include "loops.h"

#define ROWS 600
#define COLUMNS 800

static unsigned char world[2][ROWS + 2][COLUMNS + 2];

static void copy_border(int which) {
  for (int r = 1; r <= ROWS; r++) {
    world[which][r][0] = world[which][r][COLUMNS];
    world[which][r][COLUMNS + 1] = world[which][r][1];
  }
  memcpy(world[which][0], world[which][ROWS], COLUMNS + 2);
  memcpy(world[which][ROWS + 1], world[which][1], COLUMNS + 2);
}

static void generation(int from) {
  int to = 1 - from;
  cilk_for (int r = 1; r <= ROWS; r++) {
    for (int c = 1; c <= COLUMNS; c++) {
      unsigned char n = world[from][r - 1][c - 1] + world[from][r - 1][c] +
                        world[from][r - 1][c + 1] + world[from][r][c - 1] +
                        world[from][r][c + 1] + world[from][r + 1][c - 1] +
                        world[from][r + 1][c] + world[from][r + 1][c + 1];
      world[to][r][c] = n == 3 || (n == 2 && world[from][r][c]);
    }
  }
}

int main(int argc, char **argv) {
  int generations = (int)first_argument(argc, argv, repetitions(180, 3600), 4);
  for (int r = 1; r <= ROWS; r++)
    for (int c = 1; c <= COLUMNS; c++)
      world[0][r][c] = scramble(r * COLUMNS + c) % 3 == 0;

  stopwatch watch = stopwatch_start();
  for (int g = 0; g < generations; g++) {
    copy_border(g % 2);
    generation(g % 2);
  }
  stopwatch_stop(watch);

  return report("life-padded", world, sizeof world);
}
