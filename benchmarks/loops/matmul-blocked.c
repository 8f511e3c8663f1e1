//===- matmul-blocked.c - Matrix product in blocks ----------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Global matrices of a constant size; parallel loops over the rows and columns
// of blocks.
//
//===----------------------------------------------------------------------===//

#include "loops.h"

#define N 512
#define B 32

static double A[N][N], X[N][N], C[N][N];

static void multiply_block(int bi, int bj, int bk) {
  for (int i = bi; i < bi + B; i++)
    for (int k = bk; k < bk + B; k++)
      for (int j = bj; j < bj + B; j++)
        C[i][j] += A[i][k] * X[k][j];
}

int main(int argc, char **argv) {
  int times = (int)first_argument(argc, argv, 8, 1);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      A[i][j] = i % 5 + j % 3;
      X[i][j] = i % 4 - j % 7;
    }

  stopwatch watch = stopwatch_start();
  for (int t = 0; t < times; t++) {
    cilk_for (int bi = 0; bi < N; bi += B)
      cilk_for (int bj = 0; bj < N; bj += B)
        for (int bk = 0; bk < N; bk += B)
          multiply_block(bi, bj, bk);
  }
  stopwatch_stop(watch);

  return report("matmul-blocked", C, sizeof C);
}
