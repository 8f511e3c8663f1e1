//===- light.c - Tasks that are over in a microsecond -------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is spawned where it cannot pay: a parallel loop over the neighbours of
// each pixel, and an assay of each step in a recursion that counts the ways of
// a king to the corner. Known answers: the mean of its neighbours is what a
// pixel of a plane has, and Delannoy's numbers have a recurrence.
//
//===----------------------------------------------------------------------===//
// BENCH-ARGS: 700 13

#include "../Support/check.h"
#include "../Support/stopwatch.h"
#include <cilk/cilk.h>

/// Nine times what is in the middle, of a plane.
static void smooth(int size, const int *restrict from, int *restrict to) {
  cilk_for (int y = 1; y < size - 1; ++y)
    cilk_for (int x = 1; x < size - 1; ++x) {
      int part[3];
      cilk_for (int i = 0; i < 3; ++i) {
        const int *row = from + (y + i - 1) * size + x;
        part[i] = row[-1] + row[0] + row[1];
      }
      to[y * size + x] = part[0] + part[1] + part[2];
    }
}

/// One, for what is on the board.
static long assay(int x, int y) {
  long digits = 0;
  for (int i = 0; i < 4; ++i)
    digits += (x + y) >> i & 1;
  return digits >= 0;
}

static long ways(int x, int y) {
  if (x == 0 || y == 0)
    return 1;
  long here = cilk_spawn assay(x, y);
  long left = cilk_spawn ways(x - 1, y);
  long down = cilk_spawn ways(x, y - 1);
  long across = ways(x - 1, y - 1);
  cilk_sync;
  return here * (left + down + across);
}

static long delannoy(int n) {
  long before = 1, now = 3;
  for (int k = 2; k <= n; ++k) {
    long next = (3 * (2 * k - 1) * now - (k - 1) * before) / k;
    before = now;
    now = next;
  }
  return n == 0 ? before : now;
}

int main(int argc, char **argv) {
  int size = (int)argument(argc, argv, 1, 60);
  int steps = (int)argument(argc, argv, 2, 6);
  int *from = malloc(sizeof *from * size * size);
  int *to = calloc((size_t)size * size, sizeof *to);
  CHECK(from && to);
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < size; ++x)
      from[y * size + x] = 3 * x - 2 * y;

  stopwatch watch = stopwatch_start();
  for (int i = 0; i < 20; ++i)
    smooth(size, from, to);
  long counted = ways(steps, steps);
  stopwatch_stop(watch);

  for (int y = 1; y < size - 1; ++y)
    for (int x = 1; x < size - 1; ++x)
      CHECK(to[y * size + x] == 9 * (3 * x - 2 * y));
  CHECK(counted == delannoy(steps));
  printf("%d by %d smoothed, %ld ways of %d steps\n", size, size, counted,
         steps);
  free(from);
  free(to);
  return 0;
}
