//===- gaussblur.c - Gaussian blur in two passes ------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// First along the rows, then along the columns; edges are clamped.
//
//===----------------------------------------------------------------------===//

#include "loops.h"

static inline int clamp(int i, int n) { return i < 0 ? 0 : i >= n ? n - 1 : i; }

static void blur_rows(const float *src, float *dst, int w, int h,
                      const float *kernel, int radius) {
  cilk_for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      float sum = 0;
      for (int k = -radius; k <= radius; k++)
        sum += kernel[k + radius] * src[y * w + clamp(x + k, w)];
      dst[y * w + x] = sum;
    }
}

static void blur_columns(const float *src, float *dst, int w, int h,
                         const float *kernel, int radius) {
  cilk_for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      float sum = 0;
      for (int k = -radius; k <= radius; k++)
        sum += kernel[k + radius] * src[clamp(y + k, h) * w + x];
      dst[y * w + x] = sum;
    }
}

int main(int argc, char **argv) {
  int size = (int)first_argument(argc, argv, 1000, 30), radius = 3;
  float kernel[] = {0.03f, 0.11f, 0.22f, 0.28f, 0.22f, 0.11f, 0.03f};
  float *image = malloc(sizeof(float) * size * size);
  float *scratch = malloc(sizeof(float) * size * size);
  CHECK(image && scratch);
  for (int i = 0; i < size * size; i++)
    image[i] = (float)(scramble(i) % 256);

  stopwatch watch = stopwatch_start();
  for (int pass = 0; pass < 40; pass++) {
    blur_rows(image, scratch, size, size, kernel, radius);
    blur_columns(scratch, image, size, size, kernel, radius);
  }
  stopwatch_stop(watch);

  report("gaussblur", image, sizeof(float) * size * size);
  free(image);
  free(scratch);
  return 0;
}
