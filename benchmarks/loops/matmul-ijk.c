//===- matmul-ijk.c - Matrix product, an inner product per element *- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matrices are arrays of pointers to rows.
//
//===----------------------------------------------------------------------===//

#include "loops.h"

static double **new_matrix(int n) {
  double **rows = malloc(n * sizeof *rows);
  CHECK(rows);
  for (int i = 0; i < n; i++) {
    rows[i] = malloc(n * sizeof **rows);
    CHECK(rows[i]);
  }
  return rows;
}

static void free_matrix(double **rows, int n) {
  for (int i = 0; i < n; i++)
    free(rows[i]);
  free(rows);
}

static void multiply(double **a, double **b, double **c, int n) {
  cilk_for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0.0;
      for (int k = 0; k < n; k++)
        sum += a[i][k] * b[k][j];
      c[i][j] = sum;
    }
}

int main(int argc, char **argv) {
  int n = (int)first_argument(argc, argv, 560, 20);
  double **a = new_matrix(n), **b = new_matrix(n), **c = new_matrix(n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      a[i][j] = (i + 2 * j) % 10;
      b[i][j] = (3 * i + j) % 7;
    }

  stopwatch watch = stopwatch_start();
  multiply(a, b, c, n);
  stopwatch_stop(watch);

  uint64_t sum = 0;
  for (int i = 0; i < n; i++)
    sum += checksum(c[i], n * sizeof(double));
  report("matmul-ijk", &sum, sizeof sum);
  free_matrix(a, n);
  free_matrix(b, n);
  free_matrix(c, n);
  return 0;
}
