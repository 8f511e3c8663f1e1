//===- matmul-small.c - Many products of four by four matrices ----*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As for the transformations of a scene: an array of structures.
//
//===----------------------------------------------------------------------===//

#include "loops.h"

typedef struct {
  float m[4][4];
} matrix;

static matrix product(const matrix *a, const matrix *b) {
  matrix c;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) {
      c.m[i][j] = 0;
      for (int k = 0; k < 4; k++)
        c.m[i][j] += a->m[i][k] * b->m[k][j];
    }
  return c;
}

int main(int argc, char **argv) {
  int count = (int)first_argument(argc, argv, 20000, 100);
  matrix *local = malloc(count * sizeof(matrix));
  matrix *global = malloc(count * sizeof(matrix));
  CHECK(local && global);
  for (int n = 0; n < count; n++)
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4; j++) {
        local[n].m[i][j] = (float)(scramble(n * 16 + i * 4 + j) % 100) / 200;
        global[n].m[i][j] = i == j;
      }

  stopwatch watch = stopwatch_start();
  for (int frame = 0; frame < 1000; frame++) {
    cilk_for (int n = 0; n < count; n++)
      global[n] = product(&local[n], &global[n]);
    if (frame % 8 == 7)
      cilk_for (int n = 0; n < count; n++)
        global[n] = local[n];
  }
  stopwatch_stop(watch);

  report("matmul-small", global, count * sizeof(matrix));
  free(local);
  free(global);
  return 0;
}
