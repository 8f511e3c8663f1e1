//===- image.h - Pictures -----------------------------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef RAYTRACER_IMAGE_H
#define RAYTRACER_IMAGE_H

#include "vector.h"
#include <stdint.h>

typedef struct {
  int width, height;
  colour *at;
} image;

enum { Shades = 16 };

/// How many pixels have which brightness.
typedef struct {
  long count[Shades];
} histogram;

image make_image(int width, int height);
void destroy_image(image *i);

static inline colour *pixel_of(image i, int x, int y) {
  return i.at + (long)y * i.width + x;
}

/// Each pixel the mean of the square of 2 * radius + 1 around it. Spawns.
void blur(image i, int radius);
/// Makes brightnesses fit into [0, 1). Spawns.
void tone(image i);
/// Spawns.
histogram count_shades(image i);
/// The number of pixels that differ by more than `tolerance`. Spawns.
long differences(image a, image b, double tolerance);
/// Writes it in the PPM format; false when that fails.
bool write_image(image i, const char *path);

#endif
