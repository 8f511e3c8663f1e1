//===- gray.c - Colour picture to grey ----------------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Three bytes for red, green and blue become one, with integer weights; a loop
// over all pixels.
//
//===----------------------------------------------------------------------===//

#include "loops.h"

void rgb_to_gray(const uint8_t *rgb, uint8_t *gray, long pixels) {
  cilk_for (long i = 0; i < pixels; i++) {
    int r = rgb[3 * i], g = rgb[3 * i + 1], b = rgb[3 * i + 2];
    gray[i] = (uint8_t)((77 * r + 150 * g + 29 * b) >> 8);
  }
}

int main(int argc, char **argv) {
  long pixels = first_argument(argc, argv, 2000000, 2000);
  uint8_t *rgb = malloc(3 * pixels), *gray = malloc(pixels);
  CHECK(rgb && gray);
  for (long i = 0; i < 3 * pixels; i++)
    rgb[i] = (uint8_t)scramble(i);

  stopwatch watch = stopwatch_start();
  for (int k = 0; k < 120; k++) {
    rgb[k]++;
    rgb_to_gray(rgb, gray, pixels);
  }
  stopwatch_stop(watch);

  report("gray", gray, pixels);
  free(rgb);
  free(gray);
  return 0;
}
