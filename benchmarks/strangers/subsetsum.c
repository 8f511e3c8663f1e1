//===- subsetsum.c - Counts the subsets of a given sum ------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts the subsets of some weights that have a given sum, and leaves out what
// cannot reach it any more. The argument is the number of weights.
//
// grain: fine
//
//===----------------------------------------------------------------------===//

#include "../loops/loops.h"

typedef struct {
  int n;
  int64_t *weight;
  int64_t *rest; // rest[i] is the sum of all weights from i on
} instance;

static uint64_t count_subsets(const instance *in, int i, int64_t missing) {
  if (missing == 0)
    return 1;
  if (i == in->n || missing < 0 || in->rest[i] < missing)
    return 0;
  uint64_t with, without;
  with = cilk_spawn count_subsets(in, i + 1, missing - in->weight[i]);
  without = cilk_spawn count_subsets(in, i + 1, missing);
  cilk_sync;
  return with + without;
}

static int descending(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x < y) - (x > y);
}

static instance make_instance(int n) {
  instance in = {n, malloc(n * sizeof(int64_t)),
                 malloc((n + 1) * sizeof(int64_t))};
  CHECK(in.weight && in.rest);
  for (int i = 0; i < n; i++)
    in.weight[i] = 1000 + (int64_t)(scramble(i) % 100000);
  qsort(in.weight, n, sizeof(int64_t), descending);
  in.rest[n] = 0;
  for (int i = n - 1; i >= 0; i--)
    in.rest[i] = in.rest[i + 1] + in.weight[i];
  return in;
}

int main(int argc, char **argv) {
  int n = (int)first_argument(argc, argv, 31, 14);
  instance in = make_instance(n);
  int64_t target = in.rest[0] / 2;

  stopwatch watch = stopwatch_start();
  uint64_t count = 0;
  for (int64_t d = 0; d < 3; d++)
    count += count_subsets(&in, 0, target + d);
  stopwatch_stop(watch);

  printf("%llu subsets of %d weights\n", (unsigned long long)count, n);
  free(in.weight);
  free(in.rest);
  return 0;
}
