//===- spawn-width-limits.c - Wide levels in bounded memory -------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A deep and wide tree stays within bounded memory even when the channels are
// narrow: the product of width, depth and element size, not of tasks.
//
//===----------------------------------------------------------------------===//
// ARGS: 27
// MAXRSS-MB: 64
// VGIW-ARGS: 15

#include "../Support/check.h"
#include <cilk/cilk.h>

/* Eight children each, so that levels are wide. */
static long count(int n) {
  if (n <= 0)
    return 1;
  long c[8];
  for (int i = 0; i < 8; ++i)
    c[i] = cilk_spawn count(n - 2 - i);
  cilk_sync;
  long sum = 1;
  for (int i = 0; i < 8; ++i)
    sum += c[i];
  return sum;
}

int main(int argc, char **argv) {
  int n = (int)argument(argc, argv, 1, 15);
  long *known = calloc(n + 1, sizeof *known);
  for (int i = 0; i <= n; ++i) {
    known[i] = 1;
    for (int k = 0; i > 0 && k < 8; ++k)
      known[i] += i - 2 - k > 0 ? known[i - 2 - k] : 1;
  }
  CHECK_EQUAL(count(n), known[n]);
  printf("%ld tasks\n", known[n]);
  free(known);
  return 0;
}
