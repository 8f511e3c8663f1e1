//===- lower-matvec.c - Lower triangular matrix times vector ------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rows are packed one after the other, so row i begins at i (i + 1) / 2.
//
//===----------------------------------------------------------------------===//

#include "loops.h"

static void multiply(const float *lower, const float *x, float *y, size_t n) {
  cilk_for (size_t i = 0; i < n; i++) {
    const float *row = lower + i * (i + 1) / 2;
    float sum = 0;
    for (size_t j = 0; j <= i; j++)
      sum += row[j] * x[j];
    y[i] = sum;
  }
}

int main(int argc, char **argv) {
  size_t n = (size_t)first_argument(argc, argv, 2000, 30);
  float *lower = malloc(n * (n + 1) / 2 * sizeof(float));
  float *x = malloc(n * sizeof(float)), *y = malloc(n * sizeof(float));
  CHECK(lower && x && y);
  for (size_t i = 0; i < n; i++) {
    x[i] = 1;
    for (size_t j = 0, at = i * (i + 1) / 2; j <= i; j++)
      lower[at + j] = (float)(scramble(at + j) % 1000) / (500 * (float)(i + 1));
  }

  stopwatch watch = stopwatch_start();
  for (int k = 0; k < 120; k++) {
    multiply(lower, x, y, n);
    float *swap = x;
    x = y;
    y = swap;
  }
  stopwatch_stop(watch);

  report("lower-matvec", x, n * sizeof(float));
  free(lower);
  free(x);
  free(y);
  return 0;
}
