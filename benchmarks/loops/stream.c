//===- stream.c - Copy, scale, add and triad of long vectors ------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The four loops of the well-known memory benchmark on static arrays of a
// constant size.
//
//===----------------------------------------------------------------------===//

#include "loops.h"

#define N 500000

static double a[N], b[N], c[N];

int main(int argc, char **argv) {
  int times = (int)first_argument(argc, argv, 300, 2);
  double scalar = 0.4;
  for (int j = 0; j < N; j++) {
    a[j] = 1.0 + j % 10;
    b[j] = 2.0;
    c[j] = 0.0;
  }

  stopwatch watch = stopwatch_start();
  for (int k = 0; k < times; k++) {
    cilk_for (int j = 0; j < N; j++)
      c[j] = a[j];
    cilk_for (int j = 0; j < N; j++)
      b[j] = scalar * c[j];
    cilk_for (int j = 0; j < N; j++)
      c[j] = a[j] + b[j];
    cilk_for (int j = 0; j < N; j++)
      a[j] = b[j] + scalar * c[j];
  }
  stopwatch_stop(watch);

  return report("stream", a, sizeof a);
}
