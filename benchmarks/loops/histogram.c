//===- histogram.c - Histogram of bytes ---------------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each row of the picture is counted into its own table; then each bin adds up
// the tables.
//
//===----------------------------------------------------------------------===//

#include "loops.h"

static void histogram(const unsigned char *image, int width, int height,
                      unsigned (*partial)[256], unsigned *total) {
  cilk_for (int y = 0; y < height; y++) {
    unsigned *bins = partial[y];
    for (int i = 0; i < 256; i++)
      bins[i] = 0;
    for (int x = 0; x < width; x++)
      bins[image[y * width + x]]++;
  }
  cilk_for (int i = 0; i < 256; i++) {
    unsigned sum = 0;
    for (int y = 0; y < height; y++)
      sum += partial[y][i];
    total[i] += sum;
  }
}

int main(int argc, char **argv) {
  int times = (int)first_argument(argc, argv, 240, 1);
  int width = 4000, height = 500;
  unsigned char *image = malloc(width * height);
  unsigned (*partial)[256] = malloc(height * sizeof *partial);
  unsigned total[256] = {0};
  CHECK(image && partial);
  for (int i = 0; i < width * height; i++) {
    uint64_t r = scramble(i);
    image[i] = (unsigned char)((r & 127) + (r >> 8 & 127));
  }

  stopwatch watch = stopwatch_start();
  for (int k = 0; k < times; k++)
    histogram(image, width, height, partial, total);
  stopwatch_stop(watch);

  report("histogram", total, sizeof total);
  free(image);
  free(partial);
  return 0;
}
