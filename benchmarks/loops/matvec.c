//===- matvec.c - Power iteration with a dense matrix -------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A dot product for each row, then the vector is scaled by its largest
// element.
//
//===----------------------------------------------------------------------===//

#include "loops.h"

static double dot(const double *a, const double *b, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

static void multiply(double *y, const double *matrix, const double *x,
                     size_t n) {
  cilk_for (size_t row = 0; row < n; row++)
    y[row] = dot(matrix + row * n, x, n);
}

int main(int argc, char **argv) {
  size_t n = (size_t)first_argument(argc, argv, 1200, 20);
  double *matrix = malloc(n * n * sizeof(double));
  double *x = malloc(n * sizeof(double)), *y = malloc(n * sizeof(double));
  CHECK(matrix && x && y);
  for (size_t i = 0; i < n * n; i++)
    matrix[i] = (double)(scramble(i) % 1000) / 1000;
  for (size_t i = 0; i < n; i++)
    x[i] = 1;

  stopwatch watch = stopwatch_start();
  for (int k = 0; k < 120; k++) {
    multiply(y, matrix, x, n);
    double largest = 0;
    for (size_t i = 0; i < n; i++)
      if (y[i] > largest)
        largest = y[i];
    cilk_for (size_t i = 0; i < n; i++)
      x[i] = y[i] / largest;
  }
  stopwatch_stop(watch);

  report("matvec", x, n * sizeof(double));
  free(matrix);
  free(x);
  free(y);
  return 0;
}
