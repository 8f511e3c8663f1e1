//===- sortnet.c - Rows of eight numbers, sorted by a network -----*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nineteen comparisons, each of which may exchange two numbers.
//
//===----------------------------------------------------------------------===//

#include "loops.h"

static inline void order(int *a, int *b) {
  if (*a > *b) {
    int t = *a;
    *a = *b;
    *b = t;
  }
}

static void sort8(int *v) {
  order(&v[0], &v[2]), order(&v[1], &v[3]), order(&v[4], &v[6]);
  order(&v[5], &v[7]), order(&v[0], &v[4]), order(&v[1], &v[5]);
  order(&v[2], &v[6]), order(&v[3], &v[7]), order(&v[0], &v[1]);
  order(&v[2], &v[3]), order(&v[4], &v[5]), order(&v[6], &v[7]);
  order(&v[2], &v[4]), order(&v[3], &v[5]), order(&v[1], &v[4]);
  order(&v[3], &v[6]), order(&v[1], &v[2]), order(&v[3], &v[4]);
  order(&v[5], &v[6]);
}

int main(int argc, char **argv) {
  long rows = first_argument(argc, argv, 100000, 100);
  int (*table)[8] = malloc(rows * sizeof *table);
  CHECK(table);
  for (long i = 0; i < rows; i++)
    for (int j = 0; j < 8; j++)
      table[i][j] = (int)(scramble(8 * i + j) % 1000000);

  stopwatch watch = stopwatch_start();
  for (int k = 1; k <= 120; k++) {
    cilk_for (long i = 0; i < rows; i++) {
      table[i][k % 8] = table[i][k % 8] * 1103 % 999983 + k;
      table[i][3] ^= 4095;
      sort8(table[i]);
    }
  }
  stopwatch_stop(watch);

  report("sortnet", table, rows * sizeof *table);
  free(table);
  return 0;
}
