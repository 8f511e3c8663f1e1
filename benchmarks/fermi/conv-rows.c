//===- conv-rows.c - Convolution, in rows ---------------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As conv.c, but a warp has 32 pixels of one row.
//
//===----------------------------------------------------------------------===//

#include "fermi.h"

enum { Width = 256, Height = 256, Filter = 8 };

static inline float sum_at(int x, int y, const float *image,
                           const float *filter, int height, int width, int rows,
                           int columns) {
  float sum = 0;
  for (int j = 0; j < rows; ++j)
    for (int k = 0; k < columns; ++k)
      if (y - j >= 0 && y - j < height && x - k >= 0 && x - k < width)
        sum += image[(y - j) * width + x - k] * filter[j * columns + k];
  return sum;
}

static void convolve(const float *image, const float *filter, float *result,
                     int height, int width, int rows, int columns) {
  cilk_for (int i = 0; i < Width * Height; ++i) {
    int x = i % Width, y = i / Width;
    result[i] = sum_at(x, y, image, filter, height, width, rows, columns);
  }
}

int main(int argc, char **argv) {
  float *image = allocate(Width * Height, sizeof(float));
  float *filter = allocate(Filter * Filter, sizeof(float));
  float *result = allocate(Width * Height, sizeof(float));
  for (int i = 0; i < Width * Height; ++i)
    image[i] = (float)i;
  for (int i = 0; i < Filter * Filter; ++i)
    filter[i] = (float)(i + 1);
  if (!argument(argc, argv, 1, 1))
    return 0;
  convolve(image, filter, result, Height, Width, Filter, Filter);
  for (int i = 0; i < Width * Height; ++i)
    check_near(result[i], sum_at(i % Width, i / Width, image, filter, Height,
                                 Width, Filter, Filter));
  printf("conv-rows %016llx\n",
         (unsigned long long)checksum(result, Width * Height * sizeof(float)));
  free(image), free(filter), free(result);
}
