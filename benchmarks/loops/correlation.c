//===- correlation.c - Correlation of all pairs of series ---------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each series is normalised, then each is multiplied with those after it; the
// matrix is symmetric.
//
//===----------------------------------------------------------------------===//

#include "loops.h"
#include <math.h>

static void normalise(double *series, int length) {
  double mean = 0, square = 0;
  for (int t = 0; t < length; t++)
    mean += series[t];
  mean /= length;
  for (int t = 0; t < length; t++) {
    series[t] -= mean;
    square += series[t] * series[t];
  }
  double scale = 1 / sqrt(square);
  for (int t = 0; t < length; t++)
    series[t] *= scale;
}

static void correlate(double *data, int count, int length, double *result) {
  cilk_for (int i = 0; i < count; i++)
    normalise(data + i * length, length);
  cilk_for (int i = 0; i < count; i++) {
    result[i * count + i] = 1;
    for (int j = i + 1; j < count; j++) {
      double sum = 0;
      for (int t = 0; t < length; t++)
        sum += data[i * length + t] * data[j * length + t];
      result[i * count + j] = sum;
      result[j * count + i] = sum;
    }
  }
}

int main(int argc, char **argv) {
  int count = (int)first_argument(argc, argv, 700, 10), length = 1000;
  double *data = malloc(sizeof(double) * count * length);
  double *result = malloc(sizeof(double) * count * count);
  CHECK(data && result);
  for (int i = 0; i < count * length; i++)
    data[i] = (double)(scramble(i) % 10000) / 100;

  stopwatch watch = stopwatch_start();
  correlate(data, count, length, result);
  stopwatch_stop(watch);

  report("correlation", result, sizeof(double) * count * count);
  free(data);
  free(result);
  return 0;
}
