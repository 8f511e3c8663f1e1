//===- parentheses.c - Balanced strings of parentheses ------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes out all of a given length, each as the bits of a number, and sums up
// which they are. Two spawns, either of which may be missing.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// VGIW-ARGS: 6

#include "../../test/Support/check.h"
#include "../../test/Support/stopwatch.h"
#include <cilk/cilk.h>

/* The sum of all strings that begin with these bits. */
static unsigned long strings(unsigned long bits, int unopened, int unclosed) {
  if (unopened == 0)
    return bits << unclosed;
  unsigned long opening = 0, closing = 0;
  opening = cilk_spawn strings(bits << 1 | 1, unopened - 1, unclosed + 1);
  if (unclosed > 0)
    closing = cilk_spawn strings(bits << 1, unopened, unclosed - 1);
  cilk_sync;
  return opening + closing;
}

int main(int argc, char **argv) {
  int pairs = (int)argument(argc, argv, 1, 7);
  stopwatch watch = stopwatch_start();
  unsigned long total = strings(0, pairs, 0);
  stopwatch_stop(watch);
  printf("%d pairs: %lu\n", pairs, total);
  return 0;
}
