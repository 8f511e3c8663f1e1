//===- polynomial.c - Values of a polynomial at many places -------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Horner's rule; the coefficients are an array whose length the caller knows.
//
//===----------------------------------------------------------------------===//

#include "loops.h"

static double evaluate(const double *coefficients, int degree, double x) {
  double value = coefficients[degree];
  for (int i = degree - 1; i >= 0; i--)
    value = value * x + coefficients[i];
  return value;
}

int main(int argc, char **argv) {
  int n = (int)first_argument(argc, argv, 500000, 500);
  double coefficients[] = {1.0,  0.5,   -0.25,   0.125, -0.3,
                           0.02, 0.007, -0.0003, 0.05,  -0.6};
  double *x = malloc(n * sizeof(double));
  double *y = malloc(n * sizeof(double));
  CHECK(x && y);
  for (int i = 0; i < n; i++)
    x[i] = (double)i / n;

  stopwatch watch = stopwatch_start();
  for (int k = 0; k < 280; k++) {
    cilk_for (int i = 0; i < n; i++)
      y[i] = evaluate(coefficients, 9, x[i]);
    coefficients[k % 10] += y[k];
  }
  stopwatch_stop(watch);

  report("polynomial", y, n * sizeof(double));
  free(x);
  free(y);
  return 0;
}
