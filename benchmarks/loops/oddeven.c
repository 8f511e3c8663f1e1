//===- oddeven.c - Odd-even transposition sort --------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each pass compares disjoint pairs of neighbours: a short parallel loop, as
// many times as there are numbers.
//
//===----------------------------------------------------------------------===//

#include "loops.h"

static void odd_even_sort(int *data, int n) {
  for (int pass = 0; pass < n; pass++) {
    cilk_for (int i = pass % 2; i < n - 1; i += 2) {
      if (data[i] > data[i + 1]) {
        int t = data[i];
        data[i] = data[i + 1];
        data[i + 1] = t;
      }
    }
  }
}

int main(int argc, char **argv) {
  int n = (int)first_argument(argc, argv, 25000, 100);
  int *data = malloc(n * sizeof(int));
  CHECK(data);
  for (int i = 0; i < n; i++)
    data[i] = (int)(scramble(i) % 1000000);

  stopwatch watch = stopwatch_start();
  odd_even_sort(data, n);
  stopwatch_stop(watch);

  for (int i = 1; i < n; i++)
    CHECK(data[i - 1] <= data[i]);
  report("oddeven", data, n * sizeof(int));
  free(data);
  return 0;
}
