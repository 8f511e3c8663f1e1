//===- matmul-ikj.c - Matrix product, a row at a time -------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The inner loop adds a multiple of a row of the second matrix to a row of the
// product.
//
//===----------------------------------------------------------------------===//

#include "loops.h"

void multiply(int n, const float *restrict a, const float *restrict b,
              float *restrict c) {
  cilk_for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j)
      c[i * n + j] = 0;
    for (int k = 0; k < n; ++k) {
      float x = a[i * n + k];
      for (int j = 0; j < n; ++j)
        c[i * n + j] += x * b[k * n + j];
    }
  }
}

int main(int argc, char **argv) {
  int n = (int)first_argument(argc, argv, 1200, 20);
  float *a = malloc(sizeof(float) * n * n);
  float *b = malloc(sizeof(float) * n * n);
  float *c = malloc(sizeof(float) * n * n);
  CHECK(a && b && c);
  for (int i = 0; i < n * n; ++i) {
    a[i] = (float)(i % 13) - 6;
    b[i] = (float)(i % 11) - 5;
  }

  stopwatch watch = stopwatch_start();
  multiply(n, a, b, c);
  stopwatch_stop(watch);

  report("matmul-ikj", c, sizeof(float) * n * n);
  free(a);
  free(b);
  free(c);
  return 0;
}
