//===- lu.c - LU decomposition without pivoting -------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each pivot, the rows below are updated in parallel: loops that get
// shorter and shorter.
//
//===----------------------------------------------------------------------===//

#include "loops.h"

static void decompose(double *a, int n) {
  for (int k = 0; k < n; k++) {
    cilk_for (int i = k + 1; i < n; i++) {
      double factor = a[i * n + k] / a[k * n + k];
      a[i * n + k] = factor;
      for (int j = k + 1; j < n; j++)
        a[i * n + j] -= factor * a[k * n + j];
    }
  }
}

int main(int argc, char **argv) {
  int n = (int)first_argument(argc, argv, 1300, 20);
  double *a = malloc(sizeof(double) * n * n);
  CHECK(a);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i * n + j] =
          i == j ? 2.0 * n : (double)(scramble(i * n + j) % 100) / 50;

  stopwatch watch = stopwatch_start();
  decompose(a, n);
  stopwatch_stop(watch);

  report("lu", a, sizeof(double) * n * n);
  free(a);
  return 0;
}
