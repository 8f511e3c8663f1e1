//===- floyd.c - Shortest paths between all pairs -----------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Floyd and Warshall's algorithm; the rows of a step are independent, as its
// pivot's row and column do not change.
//
//===----------------------------------------------------------------------===//

#include "loops.h"

#define LIMIT 1000

static int distance[LIMIT][LIMIT];

static void relax(int n, int k) {
  cilk_for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      int through = distance[i][k] + distance[k][j];
      if (through < distance[i][j])
        distance[i][j] = through;
    }
}

int main(int argc, char **argv) {
  int n = (int)first_argument(argc, argv, 720, 20);
  CHECK(n <= LIMIT);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      distance[i][j] = i == j ? 0
                       : scramble(i * n + j) % 10 == 0
                           ? 1 + (int)(scramble(i + j * n) % 100)
                           : 100000;

  stopwatch watch = stopwatch_start();
  for (int k = 0; k < n; k++)
    relax(n, k);
  stopwatch_stop(watch);

  return report("floyd", distance, sizeof distance);
}
