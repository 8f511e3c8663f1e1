//===- jacobi.c - Jacobi iteration for Laplace's equation ---------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A hot upper edge; each point becomes the mean of its four neighbours. The
// two grids change places after each sweep.
//
//===----------------------------------------------------------------------===//

#include "loops.h"

static void sweep(int n, const double *restrict from, double *restrict to) {
  cilk_for (int i = 1; i < n - 1; i++) {
    for (int j = 1; j < n - 1; j++) {
      to[i * n + j] = 0.25 * (from[(i - 1) * n + j] + from[(i + 1) * n + j] +
                              from[i * n + j - 1] + from[i * n + j + 1]);
    }
  }
}

int main(int argc, char **argv) {
  int n = (int)first_argument(argc, argv, 800, 20);
  int sweeps = 600;
  double *a = calloc((size_t)n * n, sizeof(double));
  double *b = calloc((size_t)n * n, sizeof(double));
  CHECK(a && b);
  for (int j = 0; j < n; j++)
    a[j] = b[j] = 100.0;

  stopwatch watch = stopwatch_start();
  for (int s = 0; s < sweeps; s++) {
    sweep(n, a, b);
    double *swap = a;
    a = b;
    b = swap;
  }
  stopwatch_stop(watch);

  report("jacobi", a, sizeof(double) * n * n);
  free(a);
  free(b);
  return 0;
}
