//===- lcs.c - Longest common subsequence by quadrants ------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The length of the longest common subsequence of two strings. The table of all
// prefixes is computed by divide and conquer: the first quadrant, then the two
// beside it at once, then the last; small squares are computed row by row. The
// argument is the length of the strings.
//
// grain: coarse
//
//===----------------------------------------------------------------------===//

#include "../loops/loops.h"

#define SQUARE 64

static char *x, *y;
static int *table;
static int width;

#define T(i, j) table[(size_t)(i) * width + (j)]

static void compute(int i0, int i1, int j0, int j1) {
  if (i1 - i0 <= SQUARE && j1 - j0 <= SQUARE) {
    for (int i = i0; i < i1; i++)
      for (int j = j0; j < j1; j++) {
        if (x[i - 1] == y[j - 1])
          T(i, j) = T(i - 1, j - 1) + 1;
        else
          T(i, j) = T(i - 1, j) > T(i, j - 1) ? T(i - 1, j) : T(i, j - 1);
      }
    return;
  }
  int im = (i0 + i1) / 2, jm = (j0 + j1) / 2;
  compute(i0, im, j0, jm);
  cilk_spawn compute(im, i1, j0, jm);
  cilk_spawn compute(i0, im, jm, j1);
  cilk_sync;
  compute(im, i1, jm, j1);
}

int main(int argc, char **argv) {
  int n = (int)first_argument(argc, argv, 8000, 200);
  x = malloc(n);
  y = malloc(n);
  width = n + 1;
  table = calloc((size_t)width * width, sizeof(int));
  CHECK(x && y && table);
  for (int i = 0; i < n; i++) {
    x[i] = "acgt"[scramble(i) % 4];
    y[i] = "acgt"[scramble(i + 1234567) % 4];
  }

  stopwatch watch = stopwatch_start();
  compute(1, n + 1, 1, n + 1);
  stopwatch_stop(watch);

  printf("%d of %d\n", T(n, n), n);
  free(x);
  free(y);
  free(table);
  return 0;
}
