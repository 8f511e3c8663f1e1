//===- mariani.c - The Mandelbrot set by rectangles ---------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Draws the Mandelbrot set as Mariani and Silver do: where all of a rectangle's
// border takes the same number of iterations, so does what is inside; otherwise
// it is cut into four, and small ones are computed point by point. Borders and
// small rectangles are parallel loops within the recursion. The argument is the
// width of the picture.
//
// grain: coarse
//
//===----------------------------------------------------------------------===//

#include "../loops/loops.h"
#include <stdbool.h>

typedef struct {
  int width, height, limit;
  unsigned short *pixels;
} Picture;

static unsigned short iterations(const Picture *p, int px, int py) {
  double cx = 3.0 * px / p->width - 2.2, cy = 2.4 * py / p->height - 1.2;
  double x = 0, y = 0;
  int n = 0;
  while (n < p->limit && x * x + y * y <= 4) {
    double t = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = t;
    n++;
  }
  return (unsigned short)n;
}

static inline unsigned short *pixel(Picture *p, int x, int y) {
  return &p->pixels[(size_t)y * p->width + x];
}

static void draw_border(Picture *p, int left, int top, int right, int bottom) {
  cilk_for (int x = left; x < right; x++) {
    *pixel(p, x, top) = iterations(p, x, top);
    *pixel(p, x, bottom - 1) = iterations(p, x, bottom - 1);
  }
  cilk_for (int y = top + 1; y < bottom - 1; y++) {
    *pixel(p, left, y) = iterations(p, left, y);
    *pixel(p, right - 1, y) = iterations(p, right - 1, y);
  }
}

static bool is_uniform(Picture *p, int left, int top, int right, int bottom) {
  unsigned short first = *pixel(p, left, top);
  for (int x = left; x < right; x++)
    if (*pixel(p, x, top) != first || *pixel(p, x, bottom - 1) != first)
      return false;
  for (int y = top; y < bottom; y++)
    if (*pixel(p, left, y) != first || *pixel(p, right - 1, y) != first)
      return false;
  return true;
}

static void draw(Picture *p, int left, int top, int right, int bottom) {
  draw_border(p, left, top, right, bottom);
  if (is_uniform(p, left, top, right, bottom)) {
    unsigned short colour = *pixel(p, left, top);
    cilk_for (int y = top + 1; y < bottom - 1; y++)
      cilk_for (int x = left + 1; x < right - 1; x++)
        *pixel(p, x, y) = colour;
  } else if (right - left <= 16 || bottom - top <= 16) {
    cilk_for (int y = top + 1; y < bottom - 1; y++)
      cilk_for (int x = left + 1; x < right - 1; x++)
        *pixel(p, x, y) = iterations(p, x, y);
  } else {
    int x = (left + right) / 2, y = (top + bottom) / 2;
    cilk_spawn draw(p, left, top, x, y);
    cilk_spawn draw(p, x, top, right, y);
    cilk_spawn draw(p, left, y, x, bottom);
    draw(p, x, y, right, bottom);
    cilk_sync;
  }
}

int main(int argc, char **argv) {
  Picture p = {.limit = 500};
  p.width = (int)first_argument(argc, argv, 2400, 50);
  p.height = p.width * 4 / 5;
  p.pixels = calloc((size_t)p.width * p.height, sizeof *p.pixels);
  CHECK(p.pixels);

  stopwatch watch = stopwatch_start();
  draw(&p, 0, 0, p.width, p.height);
  stopwatch_stop(watch);

  report("mariani", p.pixels, (size_t)p.width * p.height * sizeof *p.pixels);
  free(p.pixels);
  return 0;
}
