//===- image.c - Pictures -----------------------------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "image.h"

#include "memory.h"
#include <cilk/cilk.h>
#include <stdio.h>

enum { BandRows = 4 };

image make_image(int width, int height) {
  image i = {width, height, allocate((size_t)width * height, sizeof(colour))};
  return i;
}

void destroy_image(image *i) {
  release(i->at);
  i->at = NULL;
}

static int clamped(int value, int end) {
  return value < 0 ? 0 : value < end ? value : end - 1;
}

/* The mean along a row or column around one pixel. */
static colour mean(image i, int x, int y, int dx, int dy, int radius) {
  colour sum = {0, 0, 0};
  for (int k = -radius; k <= radius; ++k)
    sum = plus(sum, *pixel_of(i, clamped(x + k * dx, i.width),
                              clamped(y + k * dy, i.height)));
  return scale(1.0 / (2 * radius + 1), sum);
}

static void blur_row(image from, image to, int y, int dx, int dy, int radius) {
  for (int x = 0; x < from.width; ++x)
    *pixel_of(to, x, y) = mean(from, x, y, dx, dy, radius);
}

void blur(image i, int radius) {
  image half = make_image(i.width, i.height);
  for (int pass = 0; pass < 2; ++pass) {
    image from = pass == 0 ? i : half, to = pass == 0 ? half : i;
    for (int y = 0; y < i.height; ++y)
      cilk_spawn blur_row(from, to, y, pass == 0, pass == 1, radius);
    cilk_sync;
  }
  destroy_image(&half);
}

/* Halves the rows until few are left. */
static void for_rows(image i, int first, int last,
                     void (*row)(image i, int y)) {
  if (last - first > BandRows) {
    int middle = first + (last - first) / 2;
    cilk_spawn for_rows(i, first, middle, row);
    for_rows(i, middle, last, row);
    return;
  }
  for (int y = first; y < last; ++y)
    cilk_spawn row(i, y);
}

static double toned(double x) { return x / (1 + x); }

static void tone_row(image i, int y) {
  for (int x = 0; x < i.width; ++x) {
    colour *c = pixel_of(i, x, y);
    *c = make_vector(toned(c->x), toned(c->y), toned(c->z));
  }
}

void tone(image i) { for_rows(i, 0, i.height, tone_row); }

static histogram count_rows(image i, int first, int last) {
  histogram sum = {{0}};
  if (last - first > BandRows) {
    int middle = first + (last - first) / 2;
    histogram above = cilk_spawn count_rows(i, first, middle);
    histogram below = count_rows(i, middle, last);
    cilk_sync;
    for (int k = 0; k < Shades; ++k)
      sum.count[k] = above.count[k] + below.count[k];
    return sum;
  }
  for (int y = first; y < last; ++y)
    for (int x = 0; x < i.width; ++x) {
      colour c = *pixel_of(i, x, y);
      double bright = 0.3 * c.x + 0.6 * c.y + 0.1 * c.z;
      ++sum.count[clamped((int)(bright * Shades), Shades)];
    }
  return sum;
}

histogram count_shades(image i) { return count_rows(i, 0, i.height); }

static long differences_in_row(image a, image b, double tolerance, int y) {
  long count = 0;
  for (int x = 0; x < a.width; ++x) {
    vector d = minus(*pixel_of(a, x, y), *pixel_of(b, x, y));
    count += !(norm(d) <= tolerance);
  }
  return count;
}

long differences(image a, image b, double tolerance) {
  long sum = 0;
  for (int y = 0; y < a.height; ++y)
    sum += cilk_spawn differences_in_row(a, b, tolerance, y);
  cilk_sync;
  return sum;
}

bool write_image(image i, const char *path) {
  FILE *file = fopen(path, "wb");
  if (!file)
    return false;
  fprintf(file, "P6\n%d %d\n255\n", i.width, i.height);
  for (long k = 0; k < (long)i.width * i.height; ++k) {
    double part[3] = {i.at[k].x, i.at[k].y, i.at[k].z};
    for (int j = 0; j < 3; ++j)
      fputc(clamped((int)(part[j] * 256), 256), file);
  }
  bool good = !ferror(file);
  return fclose(file) == 0 && good;
}
