//===- lud-internal.c - The inner tiles of an LU decomposition ----*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From each tile of 16x16, the product of the tiles to the left of it and above
// is subtracted: the first such launch for a matrix of 256x256. A block of 16x16
// threads has a tile, and a warp two of its rows.
//
//===----------------------------------------------------------------------===//

#include "fermi.h"

enum { Size = 256, Tile = 16, Blocks = Size / Tile - 1 };

static void subtract(float *a, int size) {
  cilk_for (int i = 0; i < Blocks * Blocks * Tile * Tile; ++i) {
    int block = i / (Tile * Tile), thread = i % (Tile * Tile);
    int y = (block / Blocks + 1) * Tile + thread / Tile;
    int x = (block % Blocks + 1) * Tile + thread % Tile;
    float sum = 0;
#pragma clang loop unroll(full)
    for (int k = 0; k < Tile; ++k)
      sum += a[y * size + k] * a[k * size + x];
    a[y * size + x] -= sum;
  }
}

int main(int argc, char **argv) {
  size_t bytes = Size * Size * sizeof(float);
  float *a = allocate(1, bytes), *before = allocate(1, bytes);
  for (int i = 0; i < Size * Size; ++i)
    a[i] = before[i] = uniform(1, i);
  copied(a, bytes);
  if (!argument(argc, argv, 1, 1))
    return 0;
  subtract(a, Size);
  for (int y = Tile; y < Size; ++y)
    for (int x = Tile; x < Size; ++x) {
      float sum = 0;
      for (int k = 0; k < Tile; ++k)
        sum += before[y * Size + k] * before[k * Size + x];
      check_near(a[y * Size + x], before[y * Size + x] - sum);
    }
  printf("lud-internal %016llx\n", (unsigned long long)checksum(a, bytes));
  free(a), free(before);
}
