//===- julia.c - A Julia set, a task for each pixel ---------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In floats, with nested parallel loops; the constant moves from frame to
// frame.
//
//===----------------------------------------------------------------------===//

#include "loops.h"

#define WIDTH 320
#define HEIGHT 240

static unsigned short frame[HEIGHT][WIDTH];

static void draw(float cr, float ci) {
  cilk_for (int y = 0; y < HEIGHT; ++y) {
    cilk_for (int x = 0; x < WIDTH; ++x) {
      float zr = 3.0f * (float)x / WIDTH - 1.5f;
      float zi = 2.0f * (float)y / HEIGHT - 1.0f;
      unsigned short i = 0;
      for (; i < 200; ++i) {
        float rr = zr * zr, ii = zi * zi;
        if (rr + ii > 4)
          break;
        zi = 2 * zr * zi + ci;
        zr = rr - ii + cr;
      }
      frame[y][x] += i;
    }
  }
}

int main(int argc, char **argv) {
  int frames = (int)first_argument(argc, argv, 15, 1);
  stopwatch watch = stopwatch_start();
  for (int f = 0; f < frames; ++f)
    draw(-0.8f + 0.01f * (float)f, 0.156f);
  stopwatch_stop(watch);
  return report("julia", frame, sizeof frame);
}
