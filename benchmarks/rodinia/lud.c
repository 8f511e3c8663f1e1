//===- lud.c - LU decomposition in tiles -----------------------------*- C
//-*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Without pivoting, in place, L's diagonal being 1. For each tile on the
// diagonal: `lud_diagonal` factors it, `lud_perimiter` (so in the paper's
// table) the tiles right of it and below, a thread a column or row, and
// `lud_internal` updates an element of the rest in each thread. What a GPU's
// threads do between barriers are loops of their own here.
//
//===----------------------------------------------------------------------===//
// ARGS: quick
// LIBS: -lm
// SANITIZE: yes

#include "rodinia.h"

enum { Tile = 16 };

/* In each step, a thread finishes an element of L's column and then updates its
   row. `a` is the tile's first element. */
static void lud_diagonal(float *a, int size) {
  for (int k = 0; k < Tile - 1; ++k)
    cilk_for (int i = k + 1; i < Tile; ++i) {
      float factor = a[(long)i * size + k] / a[(long)k * size + k];
      a[(long)i * size + k] = factor;
      for (int j = k + 1; j < Tile; ++j)
        a[(long)i * size + j] -= factor * a[(long)k * size + j];
    }
}

/* `left` columns of U to the right of the diagonal tile, as many rows of L
 * below. */
static void lud_perimiter(float *a, int size, int left) {
  cilk_for (int thread = 0; thread < 2 * left; ++thread)
    if (thread < left) {
      float *column = a + Tile + thread;
      for (int i = 1; i < Tile; ++i)
        for (int k = 0; k < i; ++k)
          column[(long)i * size] -=
              a[(long)i * size + k] * column[(long)k * size];
    } else {
      float *row = a + (long)(Tile + thread - left) * size;
      for (int j = 0; j < Tile; ++j) {
        for (int k = 0; k < j; ++k)
          row[j] -= row[k] * a[(long)k * size + j];
        row[j] /= a[(long)j * size + j];
      }
    }
}

static void lud_internal(float *a, int size, int left) {
  cilk_for (int thread = 0; thread < left * left; ++thread) {
    float *row = a + (long)(Tile + thread / left) * size;
    int column = Tile + thread % left;
    float sum = 0;
    for (int k = 0; k < Tile; ++k)
      sum += row[k] * a[(long)k * size + column];
    row[column] -= sum;
  }
}

/* Doolittle's method, row by row. */
static void reference(float *a, int size) {
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < size; ++j) {
      double sum = a[(long)i * size + j];
      for (int k = 0; k < i && k < j; ++k)
        sum -= (double)a[(long)i * size + k] * a[(long)k * size + j];
      a[(long)i * size + j] =
          (float)(j < i ? sum / a[(long)j * size + j] : sum);
    }
}

int main(int argc, char **argv) {
  int size = problem_size(argc, argv, 256, 64, 1, 8192);
  CHECK(size % Tile == 0);
  size_t count = (size_t)size * size;
  float *a = random_floats(1, count, -1, 1);
  for (int i = 0; i < size; ++i)
    a[(long)i * size + i] += (float)size;
  float *expected = allocate(count, sizeof(float));
  memcpy(expected, a, count * sizeof(float));
  for (int from = 0; from < size; from += Tile) {
    float *tile = a + (long)from * size + from;
    int left = size - from - Tile;
    lud_diagonal(tile, size);
    lud_perimiter(tile, size, left);
    lud_internal(tile, size, left);
  }
  reference(expected, size);
  check_floats("a", a, expected, count, 1e-4f);
  uint64_t sum = checksum(a, count * sizeof(float));
  free(a), free(expected);
  return report("lud", size, sum);
}
