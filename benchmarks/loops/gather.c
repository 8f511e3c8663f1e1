//===- gather.c - Gathering and scattering by a permutation -------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The values go to the places that a table names, and come back.
//
//===----------------------------------------------------------------------===//

#include "loops.h"

void gather(double *restrict to, const double *restrict from,
            const unsigned *restrict index, unsigned n) {
  cilk_for (unsigned i = 0; i < n; i++)
    to[i] = from[index[i]];
}

void scatter(double *restrict to, const double *restrict from,
             const unsigned *restrict index, unsigned n) {
  cilk_for (unsigned i = 0; i < n; i++)
    to[index[i]] = from[i] + 1;
}

int main(int argc, char **argv) {
  unsigned n = (unsigned)first_argument(argc, argv, 200000, 1000);
  double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
  unsigned *index = malloc(n * sizeof *index);
  CHECK(a && b && index);
  for (unsigned i = 0; i < n; i++) {
    a[i] = i;
    index[i] = i;
  }
  for (unsigned i = n; i > 1; i--) {
    unsigned j = (unsigned)(scramble(i) % i), t = index[i - 1];
    index[i - 1] = index[j];
    index[j] = t;
  }

  stopwatch watch = stopwatch_start();
  for (int k = 0; k < 450; k++) {
    gather(b, a, index, n);
    scatter(a, b, index, n);
  }
  stopwatch_stop(watch);

  report("gather", a, n * sizeof *a);
  free(a);
  free(b);
  free(index);
  return 0;
}
