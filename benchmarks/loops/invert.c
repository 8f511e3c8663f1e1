//===- invert.c - Inversion of a picture's colours ----------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In place, an array of structures of three bytes; a loop over the pixels.
//
//===----------------------------------------------------------------------===//

#include "loops.h"

struct pixel {
  unsigned char r, g, b;
};

static void invert(struct pixel *pixels, size_t count) {
  cilk_for (size_t i = 0; i < count; i++) {
    pixels[i].r = 255 - pixels[i].r;
    pixels[i].g = 255 - pixels[i].g;
    pixels[i].b = 255 - pixels[i].b;
  }
}

int main(int argc, char **argv) {
  size_t count = (size_t)first_argument(argc, argv, 1000000, 1000);
  struct pixel *pixels = malloc(count * sizeof *pixels);
  CHECK(pixels);
  for (size_t i = 0; i < count; i++) {
    uint64_t r = scramble(i);
    pixels[i] = (struct pixel){(unsigned char)r, (unsigned char)(r >> 8),
                               (unsigned char)(r >> 16)};
  }

  stopwatch watch = stopwatch_start();
  for (size_t k = 0; k < repetitions(301, 2401); k++) {
    invert(pixels, count);
    pixels[k % count].r++;
  }
  stopwatch_stop(watch);

  report("invert", pixels, count * sizeof *pixels);
  free(pixels);
  return 0;
}
