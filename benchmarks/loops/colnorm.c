//===- colnorm.c - Euclidean norm of each column of a matrix ------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The columns are then divided by their norms.
//
//===----------------------------------------------------------------------===//

#include "loops.h"
#include <math.h>

static void column_norms(const double *matrix, int rows, int columns,
                         double *norms) {
  cilk_for (int j = 0; j < columns; j++) {
    double sum = 0;
    for (int i = 0; i < rows; i++) {
      double value = matrix[i * columns + j];
      sum += value * value;
    }
    norms[j] = sqrt(sum);
  }
}

static void divide(double *matrix, int rows, int columns, const double *norms) {
  cilk_for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      matrix[i * columns + j] /= norms[j];
}

int main(int argc, char **argv) {
  int columns = (int)first_argument(argc, argv, 900, 20), rows = 700;
  double *matrix = malloc(sizeof(double) * rows * columns);
  double *norms = malloc(sizeof(double) * columns);
  CHECK(matrix && norms);
  for (int i = 0; i < rows * columns; i++)
    matrix[i] = 1 + (double)(scramble(i) % 100);

  stopwatch watch = stopwatch_start();
  for (int k = 0; k < 180; k++) {
    column_norms(matrix, rows, columns, norms);
    divide(matrix, rows, columns, norms);
    matrix[k] += 1;
  }
  stopwatch_stop(watch);

  report("colnorm", matrix, sizeof(double) * rows * columns);
  free(matrix);
  free(norms);
  return 0;
}
