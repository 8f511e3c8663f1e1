//===- lud-groups.c - LU decomposition in tiles, by work-groups ------*- C
//-*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// lud.c in the structure of Rodinia's CUDA program: an iteration of an outer
// loop is a thread block, whose tiles are local arrays, and the end of an inner
// loop is a barrier. Blocks have 16, 32 and 256 threads. Perimeter blocks treat
// a tile to the right and one below; `a` is the diagonal tile's first element.
//
//===----------------------------------------------------------------------===//
// ARGS: quick
// LIBS: -lm
// SANITIZE: yes

#include "rodinia.h"

enum { Tile = 16 };

static void lud_diagonal(float *a, int size) {
  cilk_for (int block = 0; block < 1; ++block) {
    float shadow[Tile][Tile];
    cilk_for (int t = 0; t < Tile; ++t)
      for (int i = 0; i < Tile; ++i)
        shadow[i][t] = a[(long)i * size + t];
    for (int i = 0; i < Tile - 1; ++i) {
      cilk_for (int t = 0; t < Tile; ++t)
        if (t > i) {
          for (int j = 0; j < i; ++j)
            shadow[t][i] -= shadow[t][j] * shadow[j][i];
          shadow[t][i] /= shadow[i][i];
        }
      cilk_for (int t = 0; t < Tile; ++t)
        if (t > i)
          for (int j = 0; j < i + 1; ++j)
            shadow[i + 1][t] -= shadow[i + 1][j] * shadow[j][t];
    }
    cilk_for (int t = 0; t < Tile; ++t)
      for (int i = 1; i < Tile; ++i)
        a[(long)i * size + t] = shadow[i][t];
  }
}

static void lud_perimiter(float *a, int size, int tiles) {
  cilk_for (int block = 0; block < tiles; ++block) {
    float dia[Tile][Tile], row[Tile][Tile], column[Tile][Tile];
    float *right = a + (long)(block + 1) * Tile;
    float *below = a + (long)(block + 1) * Tile * size;
    cilk_for (int t = 0; t < 2 * Tile; ++t)
      if (t < Tile) {
        for (int i = 0; i < Tile / 2; ++i)
          dia[i][t] = a[(long)i * size + t];
        for (int i = 0; i < Tile; ++i)
          row[i][t] = right[(long)i * size + t];
      } else {
        for (int i = Tile / 2; i < Tile; ++i)
          dia[i][t - Tile] = a[(long)i * size + t - Tile];
        for (int i = 0; i < Tile; ++i)
          column[i][t - Tile] = below[(long)i * size + t - Tile];
      }
    cilk_for (int t = 0; t < 2 * Tile; ++t)
      if (t < Tile) {
        for (int i = 1; i < Tile; ++i)
          for (int j = 0; j < i; ++j)
            row[i][t] -= dia[i][j] * row[j][t];
      } else {
        float *own = column[t - Tile];
        for (int i = 0; i < Tile; ++i) {
          for (int j = 0; j < i; ++j)
            own[i] -= own[j] * dia[j][i];
          own[i] /= dia[i][i];
        }
      }
    cilk_for (int t = 0; t < 2 * Tile; ++t)
      if (t < Tile)
        for (int i = 1; i < Tile; ++i)
          right[(long)i * size + t] = row[i][t];
      else
        for (int i = 0; i < Tile; ++i)
          below[(long)i * size + t - Tile] = column[i][t - Tile];
  }
}

static void lud_internal(float *a, int size, int tiles) {
  cilk_for (int block = 0; block < tiles * tiles; ++block) {
    float row[Tile][Tile], column[Tile][Tile];
    long x = (long)(block % tiles + 1) * Tile;
    long y = (long)(block / tiles + 1) * Tile;
    float *right = a + x, *below = a + y * size, *own = below + x;
    cilk_for (int t = 0; t < Tile * Tile; ++t) {
      row[t / Tile][t % Tile] = right[(long)(t / Tile) * size + t % Tile];
      column[t / Tile][t % Tile] = below[(long)(t / Tile) * size + t % Tile];
    }
    cilk_for (int t = 0; t < Tile * Tile; ++t) {
      float sum = 0;
      for (int i = 0; i < Tile; ++i)
        sum += column[t / Tile][i] * row[i][t % Tile];
      own[(long)(t / Tile) * size + t % Tile] -= sum;
    }
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
    int tiles = (size - from) / Tile - 1;
    lud_diagonal(tile, size);
    lud_perimiter(tile, size, tiles);
    lud_internal(tile, size, tiles);
  }
  reference(expected, size);
  check_floats("a", a, expected, count, 1e-4f);
  uint64_t sum = checksum(a, count * sizeof(float));
  free(a), free(expected);
  return report("lud-groups", size, sum);
}
