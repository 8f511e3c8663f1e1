//===- optimalbst.c - The best binary search tree -----------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The expected number of comparisons of the best binary search tree for keys of
// known frequencies, by dynamic programming over intervals: a parallel loop for
// all intervals of a length, of which each tries all roots. The argument is the
// number of keys.
//
// grain: coarse
//
//===----------------------------------------------------------------------===//

#include "../loops/loops.h"
#include <float.h>

int main(int argc, char **argv) {
  const int n = (int)first_argument(argc, argv, 1200, 30);
  double *frequency = malloc(n * sizeof(double));
  // cost[i][j] and weight[i][j] are of the keys i to j - 1.
  double (*cost)[n + 1] = calloc(n + 1, sizeof *cost);
  double (*weight)[n + 1] = calloc(n + 1, sizeof *weight);
  int (*root)[n + 1] = calloc(n + 1, sizeof *root);
  CHECK(frequency && cost && weight && root);
  for (int i = 0; i < n; i++)
    frequency[i] = (double)(1 + scramble(i) % 1000) / (500.0 * n);

  stopwatch watch = stopwatch_start();
  for (int length = 1; length <= n; length++) {
    cilk_for (int i = 0; i <= n - length; i++) {
      int j = i + length;
      weight[i][j] = weight[i][j - 1] + frequency[j - 1];
      double best = DBL_MAX;
      for (int r = i; r < j; r++) {
        double c = cost[i][r] + cost[r + 1][j];
        if (c < best) {
          best = c;
          root[i][j] = r;
        }
      }
      cost[i][j] = best + weight[i][j];
    }
  }
  stopwatch_stop(watch);

  printf("%.6f comparisons, root %d\n", cost[0][n], root[0][n]);
  free(frequency);
  free(cost);
  free(weight);
  free(root);
  return 0;
}
