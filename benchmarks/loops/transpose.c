//===- transpose.c - Transposition of a square matrix, plain ------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Row by row of the source.
//
//===----------------------------------------------------------------------===//

#include "loops.h"

static void transpose(double *to, const double *from, size_t n) {
  cilk_for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      to[j * n + i] = from[i * n + j];
}

int main(int argc, char **argv) {
  size_t n = (size_t)first_argument(argc, argv, 1000, 30);
  double *a = malloc(n * n * sizeof(double));
  double *b = malloc(n * n * sizeof(double));
  CHECK(a && b);
  for (size_t i = 0; i < n * n; i++)
    a[i] = (double)i;

  stopwatch watch = stopwatch_start();
  for (int k = 0; k < 100; k++) {
    transpose(b, a, n);
    b[k] += 1;
    transpose(a, b, n);
  }
  stopwatch_stop(watch);

  report("transpose", a, n * n * sizeof(double));
  free(a);
  free(b);
  return 0;
}
