//===- distances.c - Distances between two sets of points ---------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A matrix of floats; coordinates are in separate arrays.
//
//===----------------------------------------------------------------------===//

#include "loops.h"
#include <math.h>

static void distances(const float *ax, const float *ay, int rows,
                      const float *bx, const float *by, int columns,
                      float *out) {
  cilk_for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      float dx = ax[i] - bx[j], dy = ay[i] - by[j];
      out[i * columns + j] = sqrtf(dx * dx + dy * dy);
    }
}

int main(int argc, char **argv) {
  int rows = (int)first_argument(argc, argv, 1000, 20), columns = 1500;
  float *ax = malloc(rows * sizeof(float)), *ay = malloc(rows * sizeof(float));
  float *bx = malloc(columns * sizeof(float));
  float *by = malloc(columns * sizeof(float));
  float *out = malloc(sizeof(float) * rows * columns);
  CHECK(ax && ay && bx && by && out);
  for (int i = 0; i < rows; ++i) {
    ax[i] = (float)(scramble(i) % 5000);
    ay[i] = (float)(scramble(i + 10000) % 5000);
  }
  for (int j = 0; j < columns; ++j) {
    bx[j] = (float)(scramble(j + 20000) % 5000);
    by[j] = (float)(scramble(j + 30000) % 5000);
  }

  stopwatch watch = stopwatch_start();
  for (int k = 0; k < 300; ++k) {
    distances(ax, ay, rows, bx, by, columns, out);
    bx[k] += 1;
  }
  stopwatch_stop(watch);

  report("distances", out, sizeof(float) * rows * columns);
  free(ax), free(ay), free(bx), free(by), free(out);
  return 0;
}
