//===- matmul-blocked.c - ISCA'14: product of matrices in tiles ---*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The conventional program beside strassen.c in Table 4. It has the structure of
// the matrix product in AMD's SDK: a work-group of 8 x 8 threads computes a tile
// of 32 x 32 elements of c, and each thread a part of 4 x 4.
//
//   for each tile of the work-group's rows of a:
//     all threads copy it to the group's memory    -- barrier --
//     each thread adds 4 rows of it times 4 columns of b    -- barrier --
//
// An iteration of the outer cilk_for is a work-group; the end of an inner one is
// a barrier. No value of a thread stays across a barrier, so the sums of the
// tile are in the group's memory, too. In the SDK they stay in registers.
//
//   $ matmul-blocked 64
//   matmul-blocked 64: trace 1286
//   ok
//
//===----------------------------------------------------------------------===//

#include "matrices.h"

enum { Tile = 32, Part = 4, Across = Tile / Part, Threads = Across * Across };

// count from here
typedef float float4 __attribute__((vector_size(16), may_alias));

/* Adds to a thread's part of the sums: four rows of the tile on the left, times
   four columns of the matrix on the right. */
static void multiply_part(float (*left)[Tile], const float *right, int n,
                          float *sums) {
  float4 sum0 = *(float4 *)sums, sum1 = *(float4 *)(sums + Tile);
  float4 sum2 = *(float4 *)(sums + 2 * Tile);
  float4 sum3 = *(float4 *)(sums + 3 * Tile);
  for (int k = 0; k < Tile; ++k) {
    float4 row = *(const float4 *)(right + (long)k * n);
    sum0 += left[0][k] * row;
    sum1 += left[1][k] * row;
    sum2 += left[2][k] * row;
    sum3 += left[3][k] * row;
  }
  *(float4 *)sums = sum0;
  *(float4 *)(sums + Tile) = sum1;
  *(float4 *)(sums + 2 * Tile) = sum2;
  *(float4 *)(sums + 3 * Tile) = sum3;
}

static void multiply(const float *a, const float *b, float *c, int n) {
  int tiles = n / Tile;
  cilk_for (int group = 0; group < tiles * tiles; ++group) {
    _Alignas(float4) float left[Tile][Tile], sums[Tile][Tile];
    long row = (long)(group / tiles) * Tile, column = group % tiles * Tile;
    const float *rows = a + row * n, *columns = b + column;
    float *out = c + row * n + column;
    cilk_for (int t = 0; t < Threads; ++t)
      for (int i = t; i < Tile * Tile; i += Threads)
        sums[i / Tile][i % Tile] = 0;
    for (int k = 0; k < n; k += Tile) {
      cilk_for (int t = 0; t < Threads; ++t)
        for (int i = t; i < Tile * Tile; i += Threads)
          left[i / Tile][i % Tile] = rows[(long)(i / Tile) * n + k + i % Tile];
      cilk_for (int t = 0; t < Threads; ++t) {
        int y = t / Across * Part, x = t % Across * Part;
        multiply_part(left + y, columns + (long)k * n + x, n, &sums[y][x]);
      }
    }
    cilk_for (int t = 0; t < Threads; ++t)
      for (int i = t; i < Tile * Tile; i += Threads)
        out[(long)(i / Tile) * n + i % Tile] = sums[i / Tile][i % Tile];
  }
}
// to here

int main(int argc, char **argv) {
  int n = size_argument(argc, argv, 1, 512, Tile, MostRows);
  if (n % Tile) {
    fprintf(stderr, "%s: %d is not a multiple of %d\n", argv[0], n, Tile);
    return 2;
  }
  float *a = make_matrix(n, 1), *b = make_matrix(n, 2), *c = make_matrix(n, 0);
  multiply(a, b, c, n);
  return check_product("matmul-blocked", a, b, c, n);
}
