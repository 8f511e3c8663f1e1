//===- life-modulo.c - Game of life, wrapping around by modulo ----*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The usual short version: two loops over the neighbours and a remainder for
// each coordinate.
//
//===----------------------------------------------------------------------===//

#include "loops.h"

static void evolve(const char *world, char *next, int n) {
  cilk_for (int row = 0; row < n; row++) {
    for (int col = 0; col < n; col++) {
      int alive = 0;
      for (int dr = -1; dr <= 1; dr++)
        for (int dc = -1; dc <= 1; dc++)
          if (dr != 0 || dc != 0)
            alive += world[(row + dr + n) % n * n + (col + dc + n) % n];
      next[row * n + col] = alive == 3 || (alive == 2 && world[row * n + col]);
    }
  }
}

int main(int argc, char **argv) {
  int n = (int)first_argument(argc, argv, 512, 16);
  char *world = malloc(n * n), *next = malloc(n * n);
  CHECK(world && next);
  for (int i = 0; i < n * n; i++)
    world[i] = scramble(i) % 3 == 0;

  stopwatch watch = stopwatch_start();
  for (int generation = 0; generation < 70; generation++) {
    evolve(world, next, n);
    char *t = world;
    world = next;
    next = t;
  }
  stopwatch_stop(watch);

  report("life-modulo", world, n * n);
  free(world);
  free(next);
  return 0;
}
