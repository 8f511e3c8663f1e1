//===- boxblur.c - Box blur of a grey picture ---------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The mean of the pixels at most two away that are inside the picture.
//
//===----------------------------------------------------------------------===//

#include "loops.h"

#define RADIUS 2

static void box_blur(unsigned char *in, unsigned char *out, int width,
                     int height) {
  cilk_for (int y = 0; y < height; y++) {
    for (int x = 0; x < width; x++) {
      int sum = 0, count = 0;
      for (int dy = -RADIUS; dy <= RADIUS; dy++) {
        for (int dx = -RADIUS; dx <= RADIUS; dx++) {
          int yy = y + dy, xx = x + dx;
          if (yy < 0 || yy >= height || xx < 0 || xx >= width)
            continue;
          sum += in[yy * width + xx];
          count++;
        }
      }
      out[y * width + x] = (unsigned char)(sum / count);
    }
  }
}

int main(int argc, char **argv) {
  int width = (int)first_argument(argc, argv, 1024, 24);
  int height = width * 3 / 4;
  unsigned char *in = malloc(width * height), *out = malloc(width * height);
  CHECK(in && out);
  for (int i = 0; i < width * height; i++)
    in[i] = (unsigned char)scramble(i);

  stopwatch watch = stopwatch_start();
  for (int pass = 0; pass < 16; pass++) {
    box_blur(in, out, width, height);
    unsigned char *t = in;
    in = out;
    out = t;
  }
  stopwatch_stop(watch);

  report("boxblur", in, width * height);
  free(in);
  free(out);
  return 0;
}
