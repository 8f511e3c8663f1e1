//===- reducers-read.c - Sums that are read in parallel -----------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Activations that run beside each other all set a static reducer to zero, sum,
// and read the sum: each has a view, and reads its own. A global reducer that
// another file may know. A reducer behind a pointer, on the heap. The extremum of
// values, with its first index.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// VGIW: no

#include "../Support/check.h"
#include <cilk/cilk.h>
#include <cilk/reducer_max.h>

static void zero(void *view) { *(long *)view = 0; }
static void add(void *left, void *right) { *(long *)left += *(long *)right; }

static long cilk_reducer(zero, add) read;
static long own(int n) {
  read = 0;
  cilk_for (int i = 0; i < n; ++i)
    read += i;
  return read;
}
static long several(int n) {
  if (n == 0)
    return own(100);
  long x = cilk_spawn several(n - 1), y = several(n - 1);
  cilk_sync;
  return x + y;
}

long cilk_reducer(zero, add) known;
static void count(int n, long cilk_reducer(zero, add) * heap) {
  ++known;
  *heap += n;
  heap[1]++;
  if (n < 2)
    return;
  cilk_spawn count(n - 1, heap);
  count(n - 2, heap);
  known += 2;
}

static void extremum(const int *values, int n) {
  CILK_C_REDUCER_MAX_INDEX(most, int, -1);
  cilk_for (int i = 0; i < n; ++i)
    CILK_C_REDUCER_MAX_INDEX_CALC(most, i, values[i]);
  int first = 0;
  for (int i = 0; i < n; ++i)
    if (values[i] > values[first])
      first = i;
  CHECK_EQUAL(REDUCER_VIEW(most).index, first);
  CHECK_EQUAL(REDUCER_VIEW(most).value, values[first]);
}

int main(int argc, char **argv) {
  int n = argument(argc, argv, 1, 14);
  printf("%ld\n", several(6));
  long *heap = calloc(2, sizeof *heap);
  count(n, (long cilk_reducer(zero, add) *)heap);
  printf("%ld %ld %ld\n", known, heap[0], heap[1]);
  free(heap);
  static int values[10000];
  for (int i = 0; i < 10000; ++i)
    values[i] = scramble(i) % 500;
  extremum(values, 10000);
  return 0;
}
