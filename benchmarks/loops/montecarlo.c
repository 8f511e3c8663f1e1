//===- montecarlo.c - Pi by throwing darts ------------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each stream has a linear congruential generator of its own, and counts its
// hits.
//
//===----------------------------------------------------------------------===//

#include "loops.h"

static unsigned long next(unsigned long *state) {
  *state = *state * 6364136223846793005ul + 1442695040888963407ul;
  return *state >> 33;
}

static long throw_darts(unsigned long seed, long darts) {
  long hits = 0;
  for (long i = 0; i < darts; i++) {
    double x = (double)next(&seed) / 2147483648.0;
    double y = (double)next(&seed) / 2147483648.0;
    if (x * x + y * y < 1.0)
      hits++;
  }
  return hits;
}

int main(int argc, char **argv) {
  int streams = (int)first_argument(argc, argv, 3000, 10);
  long darts = 20000;
  long *hits = malloc(streams * sizeof(long));
  CHECK(hits);

  stopwatch watch = stopwatch_start();
  cilk_for (int s = 0; s < streams; s++)
    hits[s] = throw_darts(s + 1, darts);
  stopwatch_stop(watch);

  long total = 0;
  for (int s = 0; s < streams; s++)
    total += hits[s];
  printf("pi is about %.2f\n", 4.0 * (double)total / (double)(streams * darts));
  report("montecarlo", hits, streams * sizeof(long));
  free(hits);
  return 0;
}
