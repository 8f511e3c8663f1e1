//===- transpose-blocked.c - Transposition of a matrix in blocks --*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A rectangular matrix of ints; the loop is over the rows of blocks.
//
//===----------------------------------------------------------------------===//

#include "loops.h"

#define BLOCK 32

static long min(long a, long b) { return a < b ? a : b; }

static void transpose(const int *restrict in, int *restrict out, long rows,
                      long columns) {
  cilk_for (long bi = 0; bi < rows; bi += BLOCK) {
    long last_i = min(bi + BLOCK, rows);
    for (long bj = 0; bj < columns; bj += BLOCK) {
      long last_j = min(bj + BLOCK, columns);
      for (long i = bi; i < last_i; i++)
        for (long j = bj; j < last_j; j++)
          out[j * rows + i] = in[i * columns + j];
    }
  }
}

int main(int argc, char **argv) {
  long rows = first_argument(argc, argv, 1500, 50), columns = rows * 4 / 3;
  int *in = malloc(sizeof(int) * rows * columns);
  int *out = malloc(sizeof(int) * rows * columns);
  CHECK(in && out);
  for (long i = 0; i < rows * columns; i++)
    in[i] = (int)i;

  stopwatch watch = stopwatch_start();
  for (int k = 0; k < 12; k++) {
    transpose(in, out, rows, columns);
    out[k]++;
    transpose(out, in, columns, rows);
  }
  stopwatch_stop(watch);

  report("transpose-blocked", in, sizeof(int) * rows * columns);
  free(in);
  free(out);
  return 0;
}
