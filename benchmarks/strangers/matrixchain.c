//===- matrixchain.c - The best order to multiply matrices --------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The least number of multiplications for a product of matrices, by trying
// every place for the outermost pair of brackets, again and again without a
// table. The argument is the number of matrices.
//
// grain: fine
//
//===----------------------------------------------------------------------===//

#include "../loops/loops.h"
#include <limits.h>

// Matrix number i has dims[i] rows and dims[i + 1] columns.
static long long cheapest(const int *dims, int first, int last) {
  if (first == last)
    return 0;

  int places = last - first;
  long long left[places], right[places];
  for (int k = 0; k < places; k++) {
    left[k] = cilk_spawn cheapest(dims, first, first + k);
    right[k] = cilk_spawn cheapest(dims, first + k + 1, last);
  }
  cilk_sync;

  long long best = LLONG_MAX;
  for (int k = 0; k < places; k++) {
    long long cost =
        left[k] + right[k] +
        (long long)dims[first] * dims[first + k + 1] * dims[last + 1];
    if (cost < best)
      best = cost;
  }
  return best;
}

int main(int argc, char **argv) {
  int n = (int)first_argument(argc, argv, 18, 6);
  int dims[n + 1];
  for (int i = 0; i <= n; i++)
    dims[i] = 5 + (int)(scramble(i) % 100);

  stopwatch watch = stopwatch_start();
  long long cost = cheapest(dims, 0, n - 1);
  stopwatch_stop(watch);

  printf("%d matrices: %lld multiplications\n", n, cost);
  return 0;
}
