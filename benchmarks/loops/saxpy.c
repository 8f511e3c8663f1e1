//===- saxpy.c - Scaled vector addition ---------------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// y = a x + y in floats, one element per iteration.
//
//===----------------------------------------------------------------------===//

#include "loops.h"

void saxpy(int n, float a, float *x, float *y) {
  cilk_for (int i = 0; i < n; ++i)
    y[i] = a * x[i] + y[i];
}

int main(int argc, char **argv) {
  int n = (int)first_argument(argc, argv, 1000000, 1000);
  float *x = malloc(n * sizeof(float));
  float *y = malloc(n * sizeof(float));
  CHECK(x && y);
  for (int i = 0; i < n; ++i) {
    x[i] = (float)(i % 1000);
    y[i] = (float)(i % 77);
  }

  stopwatch watch = stopwatch_start();
  for (int k = 1; k <= 1600; ++k)
    saxpy(n, 1.0f / (float)k, x, y);
  stopwatch_stop(watch);

  report("saxpy", y, n * sizeof(float));
  free(x);
  free(y);
  return 0;
}
