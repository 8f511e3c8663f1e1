//===- life.c - Generations of a cellular automaton ---------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conway's game on a torus, and its blurred picture: loops over rows whose
// inner loops become vector code if the compiler knows that the arrays do not
// overlap, as the parameters say, and how many neighbours a cell has, as the
// caller says. Checked against one cell after another.
//
//===----------------------------------------------------------------------===//
// BENCH-ARGS: 1000 200

#include "../Support/check.h"
#include "../Support/stopwatch.h"
#include <cilk/cilk.h>
#include <string.h>

/// Fields have a border one cell wide, a copy of the opposite side.
static void wrap(int size, unsigned char *field) {
  int width = size + 2;
  for (int y = 1; y <= size; ++y) {
    field[y * width] = field[y * width + size];
    field[y * width + size + 1] = field[y * width + 1];
  }
  memcpy(field, field + size * width, width);
  memcpy(field + (size + 1) * width, field + width, width);
}

static void generation(int size, const unsigned char *restrict from,
                       unsigned char *restrict to) {
  int width = size + 2;
  cilk_for (int y = 1; y <= size; ++y)
    for (int x = 1; x <= size; ++x) {
      const unsigned char *cell = from + y * width + x;
      int neighbours = cell[-width - 1] + cell[-width] + cell[-width + 1] +
                       cell[-1] + cell[1] + cell[width - 1] + cell[width] +
                       cell[width + 1];
      to[y * width + x] = neighbours == 3 || (neighbours == 2 && *cell);
    }
}

/// Weighs each cell and its neighbours, `side` by `side` cells.
void blur(int size, int side, const unsigned char *restrict field,
          const float *restrict weights, float *restrict picture) {
  int width = size + 2;
  cilk_for (int y = 0; y < size; ++y)
    for (int x = 0; x < size; ++x) {
      float sum = 0;
      for (int i = 0; i < side; ++i)
        for (int j = 0; j < side; ++j)
          sum += weights[i * side + j] * field[(y + i) * width + x + j];
      picture[y * size + x] += sum;
    }
}

static int next(int size, const unsigned char *field, int y, int x) {
  int sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      sum += field[(y + dy + size) % size * size + (x + dx + size) % size];
  int self = field[y * size + x];
  return sum - self == 3 || (sum - self == 2 && self);
}

int main(int argc, char **argv) {
  int size = (int)argument(argc, argv, 1, 65);
  int generations = (int)argument(argc, argv, 2, 20);
  int width = size + 2, small = size < 200 ? size : 200;
  unsigned char *field = calloc((size_t)width, width);
  unsigned char *other = calloc((size_t)width, width);
  float *picture = calloc((size_t)size * size, sizeof(float));
  const float weights[9] = {1, 2, 1, 2, 4, 2, 1, 2, 1};
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < size; ++x)
      field[(y + 1) * width + x + 1] = scramble(y * size + x) % 3 == 0;
  wrap(size, field);

  stopwatch watch = stopwatch_start();
  for (int i = 0; i < generations; ++i) {
    generation(size, field, other);
    wrap(size, other);
    blur(size, 3, other, weights, picture);
    unsigned char *swap = field;
    field = other;
    other = swap;
  }
  stopwatch_stop(watch);

  double sum = 0;
  for (int i = 0; i < size * size; ++i)
    sum += picture[i];
  long living = 0;
  for (int y = 1; y <= size; ++y)
    for (int x = 1; x <= size; ++x)
      living += field[y * width + x];
  printf("%ld %.0f\n", living, sum);

  // As far as a small torus goes.
  if (small == size) {
    unsigned char *slow = malloc(2 * (size_t)size * size), *then = slow;
    unsigned char *now = slow + (size_t)size * size;
    for (int i = 0; i < size * size; ++i)
      then[i] = scramble(i) % 3 == 0;
    long total = 0;
    for (int i = 0; i < generations; ++i) {
      for (int y = 0; y < size; ++y)
        for (int x = 0; x < size; ++x)
          total += now[y * size + x] = (unsigned char)next(size, then, y, x);
      unsigned char *swap = now;
      now = then;
      then = swap;
    }
    CHECK(sum == 16.0 * (double)total);
    for (int y = 0; y < size; ++y)
      CHECK(!memcmp(then + y * size, field + (y + 1) * width + 1, size));
    free(slow);
  }
  free(field);
  free(other);
  free(picture);
  return 0;
}
