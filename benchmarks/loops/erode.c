//===- erode.c - Erosion and dilation of a grey picture -----------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The least and the greatest value of three by three pixels, in turns; the
// buffers change places.
//
//===----------------------------------------------------------------------===//

#include "loops.h"

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

static void erode(uint8_t *src, uint8_t *dst, size_t w, size_t h) {
  cilk_for (size_t y = 1; y < h - 1; y++)
    for (size_t x = 1; x < w - 1; x++) {
      uint8_t least = 255;
      for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++)
          least = MIN(least, src[(y + j) * w + x + i]);
      dst[y * w + x] = least;
    }
}

static void dilate(uint8_t *src, uint8_t *dst, size_t w, size_t h) {
  cilk_for (size_t y = 1; y < h - 1; y++)
    for (size_t x = 1; x < w - 1; x++) {
      uint8_t greatest = 0;
      for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++)
          greatest = MAX(greatest, src[(y + j) * w + x + i]);
      dst[y * w + x] = greatest;
    }
}

int main(int argc, char **argv) {
  size_t w = (size_t)first_argument(argc, argv, 1024, 24), h = w;
  uint8_t *a = malloc(w * h), *b = calloc(w, h);
  CHECK(a && b);
  for (size_t i = 0; i < w * h; i++)
    a[i] = (uint8_t)scramble(i);

  stopwatch watch = stopwatch_start();
  for (int pass = 0; pass < 1200; pass++) {
    if (pass % 3 == 0)
      erode(a, b, w, h);
    else
      dilate(a, b, w, h);
    uint8_t *swap = a;
    a = b;
    b = swap;
  }
  stopwatch_stop(watch);

  report("erode", a, w * h);
  free(a);
  free(b);
  return 0;
}
