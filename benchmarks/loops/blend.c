//===- blend.c - Alpha blending of two pictures -------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Four bytes a pixel; the foreground's alpha weighs both, and the result
// replaces the background.
//
//===----------------------------------------------------------------------===//

#include "loops.h"

static void blend(int width, int height, const unsigned char *restrict front,
                  unsigned char *restrict back) {
  cilk_for (int y = 0; y < height; y++) {
    const unsigned char *f = front + 4 * y * width;
    unsigned char *b = back + 4 * y * width;
    for (int x = 0; x < width; x++) {
      int alpha = f[4 * x + 3];
      for (int c = 0; c < 3; c++)
        b[4 * x + c] = (unsigned char)((f[4 * x + c] * alpha +
                                        b[4 * x + c] * (255 - alpha)) /
                                       255);
      b[4 * x + 3] = 255;
    }
  }
}

int main(int argc, char **argv) {
  int width = (int)first_argument(argc, argv, 1280, 32);
  int height = width * 9 / 16;
  int bytes = 4 * width * height;
  unsigned char *front = malloc(bytes), *back = malloc(bytes);
  CHECK(front && back);
  for (int i = 0; i < bytes; i++) {
    front[i] = (unsigned char)scramble(i);
    back[i] = (unsigned char)(i / 7);
  }

  stopwatch watch = stopwatch_start();
  for (int k = 0; k < repetitions(60, 360); k++)
    blend(width, height, front, back);
  stopwatch_stop(watch);

  report("blend", back, bytes);
  free(front);
  free(back);
  return 0;
}
