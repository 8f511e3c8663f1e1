//===- popcount.c - Bits that are set in each word ----------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Clears the lowest bit until none is left; one word per iteration.
//
//===----------------------------------------------------------------------===//

#include "loops.h"

static unsigned char bits(unsigned long word) {
  unsigned char n = 0;
  while (word) {
    word &= word - 1;
    n++;
  }
  return n;
}

void count_bits(const unsigned long *words, unsigned char *counts, size_t n) {
  cilk_for (size_t i = 0; i < n; i++)
    counts[i] += bits(words[i]);
}

int main(int argc, char **argv) {
  size_t n = (size_t)first_argument(argc, argv, 200000, 500);
  unsigned long *words = malloc(n * sizeof *words);
  unsigned char *counts = calloc(n, 1);
  CHECK(words && counts);
  for (size_t i = 0; i < n; i++)
    words[i] = scramble(i) & scramble(~i);

  stopwatch watch = stopwatch_start();
  for (size_t k = 0; k < repetitions(60, 4600); k++) {
    words[k % n] ^= k;
    count_bits(words, counts, n);
  }
  stopwatch_stop(watch);

  report("popcount", counts, n);
  free(words);
  free(counts);
  return 0;
}
