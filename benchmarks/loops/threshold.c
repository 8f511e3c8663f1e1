//===- threshold.c - Threshold of samples of 16 bits --------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything is in main; a mask of bytes is made, with a threshold that rises.
//
//===----------------------------------------------------------------------===//

#include "loops.h"

int main(int argc, char **argv) {
  unsigned count = (unsigned)first_argument(argc, argv, 1000000, 1000);
  short *samples = malloc(count * sizeof(short));
  unsigned char *mask = malloc(count);
  unsigned *seen = calloc(count, sizeof(unsigned));
  CHECK(samples && mask && seen);
  for (unsigned i = 0; i < count; i++)
    samples[i] = (short)scramble(i);

  int step = 60000 / repetitions(75, 830);
  stopwatch watch = stopwatch_start();
  for (int level = -30000; level < 30000; level += step) {
    cilk_for (unsigned i = 0; i < count; i++) {
      if (samples[i] > level) {
        mask[i] = 255;
        seen[i]++;
      } else {
        mask[i] = 0;
      }
    }
  }
  stopwatch_stop(watch);

  report("threshold, times seen", seen, count * sizeof(unsigned));
  report("threshold, last mask", mask, count);
  free(samples);
  free(mask);
  free(seen);
  return 0;
}
