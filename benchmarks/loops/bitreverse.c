//===- bitreverse.c - The bits of words in reverse order ----------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By exchanging ever larger groups of bits, one word per iteration, in place.
//
//===----------------------------------------------------------------------===//

#include "loops.h"

static unsigned reverse(unsigned v) {
  v = (v >> 1 & 0x55555555) | (v & 0x55555555) << 1;
  v = (v >> 2 & 0x33333333) | (v & 0x33333333) << 2;
  v = (v >> 4 & 0x0f0f0f0f) | (v & 0x0f0f0f0f) << 4;
  v = (v >> 8 & 0x00ff00ff) | (v & 0x00ff00ff) << 8;
  return v >> 16 | v << 16;
}

static void reverse_all(unsigned *words, long n) {
  cilk_for (long i = 0; i < n; i++)
    words[i] = reverse(words[i]) + 1;
}

int main(int argc, char **argv) {
  long n = first_argument(argc, argv, 500000, 500);
  unsigned *words = malloc(n * sizeof *words);
  CHECK(words);
  for (long i = 0; i < n; i++)
    words[i] = (unsigned)scramble(i);

  stopwatch watch = stopwatch_start();
  for (int k = 0; k < repetitions(600, 3200); k++)
    reverse_all(words, n);
  stopwatch_stop(watch);

  report("bitreverse", words, n * sizeof *words);
  free(words);
  return 0;
}
