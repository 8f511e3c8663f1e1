//===- nw-groups.c - Aligning two sequences, by work-groups -------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// nw.c in the structure of Rodinia's CUDA program: an iteration of an outer
// loop is a thread block of 16 threads, whose tile is in local arrays, and the
// end of an inner loop is a barrier. A thread is a column of a tile.
//
//===----------------------------------------------------------------------===//
// ARGS: quick
// LIBS: -lm
// SANITIZE: yes

#include "rodinia.h"

enum { Tile = 16, Letters = 24, Penalty = 10 };

static inline int larger(int a, int b) { return a > b ? a : b; }

/* The best of a step from the north-west, west and north. `cell` is of a matrix
   whose rows have `width` cells. */
static inline int best(const int *cell, int width, int match) {
  return larger(cell[-width - 1] + match,
                larger(cell[-1] - Penalty, cell[-width] - Penalty));
}

/* What a block does with the tile whose first cells are these. */
#define TILE(scores, matches, width)                                           \
  do {                                                                         \
    int temp[Tile + 1][Tile + 1], ref[Tile][Tile];                             \
    cilk_for (int t = 0; t < Tile; ++t) {                                      \
      if (t == 0)                                                              \
        temp[0][0] = (scores)[-(width) - 1];                                   \
      for (int y = 0; y < Tile; ++y)                                           \
        ref[y][t] = (matches)[(long)y * (width) + t];                          \
    }                                                                          \
    cilk_for (int t = 0; t < Tile; ++t)                                        \
      temp[t + 1][0] = (scores)[(long)t * (width) - 1];                        \
    cilk_for (int t = 0; t < Tile; ++t)                                        \
      temp[0][t + 1] = (scores)[t - (width)];                                  \
    for (int m = 0; m < Tile; ++m)                                             \
      cilk_for (int t = 0; t < Tile; ++t)                                      \
        if (t <= m)                                                            \
          temp[m - t + 1][t + 1] =                                             \
              best(&temp[m - t + 1][t + 1], Tile + 1, ref[m - t][t]);          \
    for (int m = Tile - 2; m >= 0; --m)                                        \
      cilk_for (int t = 0; t < Tile; ++t)                                      \
        if (t <= m)                                                            \
          temp[Tile - t][t + Tile - m] =                                       \
              best(&temp[Tile - t][t + Tile - m], Tile + 1,                    \
                   ref[Tile - t - 1][t + Tile - m - 1]);                       \
    cilk_for (int t = 0; t < Tile; ++t)                                        \
      for (int y = 0; y < Tile; ++y)                                           \
        (scores)[(long)y * (width) + t] = temp[y + 1][t + 1];                  \
  } while (0)

/* `tiles` tiles, from the lowest in the first column. */
static void needle_cuda_shared_1(int *scores, const int *matches, int width,
                                 int tiles) {
  cilk_for (int block = 0; block < tiles; ++block) {
    long first =
        (long)((tiles - 1 - block) * Tile + 1) * width + (long)block * Tile + 1;
    int *own = scores + first;
    const int *pairs = matches + first;
    TILE(own, pairs, width);
  }
}

/* `tiles` tiles, up to the highest in the last column, number `last`. */
static void needle_cuda_shared_2(int *scores, const int *matches, int width,
                                 int tiles, int last) {
  cilk_for (int block = 0; block < tiles; ++block) {
    long first = (long)((last - block) * Tile + 1) * width +
                 (long)(last + 1 - tiles + block) * Tile + 1;
    int *own = scores + first;
    const int *pairs = matches + first;
    TILE(own, pairs, width);
  }
}

static void reference(int *scores, const int *matches, int width) {
  for (int row = 1; row < width; ++row)
    for (int column = 1; column < width; ++column) {
      long at = (long)row * width + column;
      scores[at] = best(&scores[at], width, matches[at]);
    }
}

int main(int argc, char **argv) {
  int size = problem_size(argc, argv, 2048, 64, Tile, 16384);
  CHECK(size % Tile == 0);
  int width = size + 1, tiles = size / Tile;
  size_t bytes = (size_t)width * width * sizeof(int);
  int *scores = allocate(1, bytes), *expected = allocate(1, bytes);
  int *matches = allocate(1, bytes);
  for (int row = 1; row < width; ++row)
    for (int column = 1; column < width; ++column) {
      int a = uniform_int(1, row, Letters), b = uniform_int(2, column, Letters);
      int pair = larger(a, b) * Letters + a + b - larger(a, b);
      matches[(long)row * width + column] =
          a == b ? 4 + uniform_int(3, a, 8) : uniform_int(4, pair, 7) - 4;
    }
  for (int i = 1; i < width; ++i)
    scores[i] = scores[(long)i * width] = -i * Penalty;
  memcpy(expected, scores, bytes);
  for (int diagonal = 1; diagonal <= tiles; ++diagonal)
    needle_cuda_shared_1(scores, matches, width, diagonal);
  for (int diagonal = tiles - 1; diagonal > 0; --diagonal)
    needle_cuda_shared_2(scores, matches, width, diagonal, tiles - 1);
  reference(expected, matches, width);
  check_ints("scores", scores, expected, (size_t)width * width);
  uint64_t sum = checksum(scores, bytes);
  free(scores), free(expected), free(matches);
  return report("nw-groups", size, sum);
}
