//===- nw.c - Aligning two sequences ------------------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Needleman and Wunsch's dynamic programming, in tiles: those on a diagonal of
// tiles do not depend on each other, nor do the cells on a diagonal of a tile.
// `needle_cuda_shared_1` does the diagonals that grow, `needle_cuda_shared_2`
// those that shrink. A loop is what a GPU's threads do up to a barrier.
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

/* Column `lane` of tile (tx, ty), where its diagonal number `step` meets it. */
static inline void fill(int *scores, const int *matches, int width, int tx,
                        int ty, int lane, int step) {
  int row = step - lane;
  if (row < 0 || row >= Tile)
    return;
  long at = (long)(1 + ty * Tile + row) * width + 1 + tx * Tile + lane;
  scores[at] = best(&scores[at], width, matches[at]);
}

/* `tiles` tiles, from the lowest in the first column. */
static void needle_cuda_shared_1(int *scores, const int *matches, int width,
                                 int tiles) {
  for (int step = 0; step < 2 * Tile - 1; ++step)
    cilk_for (int thread = 0; thread < tiles * Tile; ++thread) {
      int tile = thread / Tile;
      fill(scores, matches, width, tile, tiles - 1 - tile, thread % Tile, step);
    }
}

/* `tiles` tiles, up to the highest in the last column, number `last`. */
static void needle_cuda_shared_2(int *scores, const int *matches, int width,
                                 int tiles, int last) {
  for (int step = 0; step < 2 * Tile - 1; ++step)
    cilk_for (int thread = 0; thread < tiles * Tile; ++thread) {
      int tile = thread / Tile;
      fill(scores, matches, width, last + 1 - tiles + tile, last - tile,
           thread % Tile, step);
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
  return report("nw", size, sum);
}
