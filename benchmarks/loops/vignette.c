//===- vignette.c - Darker edges of a picture, nested loops -------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parallel loops over rows and, inside, over columns; each iteration is one
// pixel.
//
//===----------------------------------------------------------------------===//

#include "loops.h"

static void vignette(const int *in, int *out, int width, int height,
                     int strength) {
  cilk_for (int y = 0; y < height; y++) {
    cilk_for (int x = 0; x < width; x++) {
      int dx = 2 * x - width, dy = 2 * y - height;
      int distance = (dx * dx + dy * dy) >> 10;
      int gain = 65536 - strength * distance;
      if (gain < 0)
        gain = 0;
      out[y * width + x] = in[y * width + x] * gain >> 16;
    }
  }
}

int main(int argc, char **argv) {
  int width = (int)first_argument(argc, argv, 1000, 40);
  int height = width * 3 / 4;
  int *in = malloc(sizeof(int) * width * height);
  int *out = malloc(sizeof(int) * width * height);
  CHECK(in && out);
  for (int i = 0; i < width * height; i++)
    in[i] = (int)(scramble(i) % 256);

  stopwatch watch = stopwatch_start();
  for (int strength = 0; strength < 320; strength++) {
    vignette(in, out, width, height, strength);
    in[strength] = out[width + strength % width];
  }
  stopwatch_stop(watch);

  report("vignette", out, sizeof(int) * width * height);
  free(in);
  free(out);
  return 0;
}
