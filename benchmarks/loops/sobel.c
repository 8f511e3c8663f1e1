//===- sobel.c - Edges of a grey picture by Sobel's operator ------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sum of the absolute values of two gradients, at most 255.
//
//===----------------------------------------------------------------------===//

#include "loops.h"

static void sobel(const unsigned char *image, unsigned char *edges, int w,
                  int h) {
  cilk_for (int y = 1; y < h - 1; y++) {
    const unsigned char *above = image + (y - 1) * w;
    const unsigned char *here = image + y * w;
    const unsigned char *below = image + (y + 1) * w;
    for (int x = 1; x < w - 1; x++) {
      int gx = above[x + 1] + 2 * here[x + 1] + below[x + 1] - above[x - 1] -
               2 * here[x - 1] - below[x - 1];
      int gy = below[x - 1] + 2 * below[x] + below[x + 1] - above[x - 1] -
               2 * above[x] - above[x + 1];
      int magnitude = abs(gx) + abs(gy);
      edges[y * w + x] = magnitude > 255 ? 255 : (unsigned char)magnitude;
    }
  }
}

int main(int argc, char **argv) {
  int w = (int)first_argument(argc, argv, 1600, 32), h = w * 5 / 8;
  unsigned char *image = malloc(w * h), *edges = calloc(w, h);
  CHECK(image && edges);
  for (int i = 0; i < w * h; i++)
    image[i] = (unsigned char)(scramble(i / 5) % 90 + i % w / 16);

  stopwatch watch = stopwatch_start();
  for (int k = 0; k < 150; k++) {
    sobel(image, edges, w, h);
    image[2 * w + k % w] = edges[2 * w + k % w];
  }
  stopwatch_stop(watch);

  report("sobel", edges, w * h);
  free(image);
  free(edges);
  return 0;
}
