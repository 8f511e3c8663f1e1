//===- mandelbrot.c - The Mandelbrot set --------------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A byte for each pixel says after how many steps it escaped; rows are of very
// different cost.
//
//===----------------------------------------------------------------------===//

#include "loops.h"

static int escape(double cx, double cy, int limit) {
  double x = 0, y = 0;
  int n = 0;
  while (n < limit && x * x + y * y <= 4) {
    double next = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = next;
    n++;
  }
  return n;
}

int main(int argc, char **argv) {
  int size = (int)first_argument(argc, argv, 1000, 20);
  unsigned char *picture = malloc(size * size);
  CHECK(picture);

  stopwatch watch = stopwatch_start();
  cilk_for (int py = 0; py < size; py++)
    for (int px = 0; px < size; px++) {
      double cx = -2.0 + 2.5 * px / size, cy = -1.25 + 2.5 * py / size;
      picture[py * size + px] = (unsigned char)escape(cx, cy, 255);
    }
  stopwatch_stop(watch);

  report("mandelbrot", picture, size * size);
  free(picture);
  return 0;
}
