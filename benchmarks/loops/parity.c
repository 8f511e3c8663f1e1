//===- parity.c - A cellular automaton on rings -------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each row is a ring of cells, which become the parity of themselves and their
// neighbours. A function of its own computes one generation; its caller swaps
// the two worlds.
//
//===----------------------------------------------------------------------===//

#include "loops.h"

typedef unsigned char cell;

static void step(int width, int height, const cell *from, cell *to) {
  cilk_for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      int left = x ? x - 1 : width - 1, right = x + 1 < width ? x + 1 : 0;
      to[y * width + x] = (from[y * width + left] + from[y * width + x] +
                           from[y * width + right]) &
                          1;
    }
}

int main(int argc, char **argv) {
  const int generations =
      (int)first_argument(argc, argv, repetitions(1500, 3000), 2);
  int width = 1024, height = 1024;
  cell *from = malloc(width * height), *to = malloc(width * height);
  CHECK(from && to);
  for (int i = 0; i < width * height; i++)
    from[i] = scramble(i) % 2;

  stopwatch watch = stopwatch_start();
  for (int g = 0; g < generations; g++) {
    step(width, height, from, to);
    cell *next = from;
    from = to;
    to = next;
  }
  stopwatch_stop(watch);

  report("parity", from, width * height);
  free(from);
  free(to);
  return 0;
}
