//===- heat3d.c - Heat in a cube, seven-point stencil -------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything is in main: the step loop, the swap of the two buffers, and the
// loop over planes.
//
//===----------------------------------------------------------------------===//

#include "loops.h"

int main(int argc, char **argv) {
  size_t n = (size_t)first_argument(argc, argv, 128, 10);
  size_t plane = n * n;
  float *now = malloc(n * plane * sizeof *now);
  float *next = malloc(n * plane * sizeof *next);
  CHECK(now && next);
  for (size_t i = 0; i < n * plane; i++)
    now[i] = next[i] = (float)(scramble(i) % 1000) / 10;

  stopwatch watch = stopwatch_start();
  for (int step = 0; step < 100; step++) {
    cilk_for (size_t z = 1; z < n - 1; z++) {
      for (size_t y = 1; y < n - 1; y++)
        for (size_t x = 1; x < n - 1; x++) {
          size_t i = z * plane + y * n + x;
          next[i] = now[i] +
                    0.1f * (now[i - 1] + now[i + 1] + now[i - n] + now[i + n] +
                            now[i - plane] + now[i + plane] - 6 * now[i]);
        }
    }
    float *tmp = now;
    now = next;
    next = tmp;
  }
  stopwatch_stop(watch);

  report("heat3d", now, n * plane * sizeof *now);
  free(now);
  free(next);
  return 0;
}
