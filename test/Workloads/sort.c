//===- sort.c - ISCA'14 section 7.1: sort with parallel merge -----*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Four quarters sorted by spawns, merged in pairs, then merged again; the merge
// itself splits the longer run in the middle. Three phases with different
// callees in one function. Checked against qsort.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// BENCH-ARGS: 1500000
// VGIW-ARGS: 4000

#include "../Support/check.h"
#include "../Support/stopwatch.h"
#include <cilk/cilk.h>
#include <string.h>

enum { SortLeaf = 24, MergeLeaf = 48 };

static void sort_small(int *data, long count) {
  for (long i = 1; i < count; ++i) {
    int value = data[i];
    long j = i;
    for (; j > 0 && data[j - 1] > value; --j)
      data[j] = data[j - 1];
    data[j] = value;
  }
}

/* The number of elements of the sorted run that are smaller than the key. */
static long rank(const int *run, long count, int key) {
  long low = 0, high = count;
  while (low < high) {
    long middle = low + (high - low) / 2;
    if (run[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void merge_small(const int *a, long a_count, const int *b, long b_count,
                        int *out) {
  long i = 0, j = 0;
  while (i < a_count && j < b_count)
    *out++ = b[j] < a[i] ? b[j++] : a[i++];
  memcpy(out, a + i, (a_count - i) * sizeof *a);
  memcpy(out + (a_count - i), b + j, (b_count - j) * sizeof *b);
}

static void merge(const int *a, long a_count, const int *b, long b_count,
                  int *out) {
  if (a_count < b_count) {
    merge(b, b_count, a, a_count, out);
    return;
  }
  if (a_count + b_count < MergeLeaf) {
    merge_small(a, a_count, b, b_count, out);
    return;
  }
  long a_half = a_count / 2;
  long b_half = rank(b, b_count, a[a_half]);
  cilk_spawn merge(a, a_half, b, b_half, out);
  cilk_spawn merge(a + a_half, a_count - a_half, b + b_half, b_count - b_half,
                   out + a_half + b_half);
  cilk_sync;
}

static void sort(int *data, int *scratch, long count) {
  if (count < SortLeaf) {
    sort_small(data, count);
    return;
  }
  long quarter = count / 4, rest = count - 3 * quarter;
  int *a = data, *b = a + quarter, *c = b + quarter, *d = c + quarter;
  int *low = scratch, *high = scratch + 2 * quarter;

  cilk_spawn sort(a, low, quarter);
  cilk_spawn sort(b, low + quarter, quarter);
  cilk_spawn sort(c, high, quarter);
  cilk_spawn sort(d, high + quarter, rest);
  cilk_sync;

  cilk_spawn merge(a, quarter, b, quarter, low);
  cilk_spawn merge(c, quarter, d, rest, high);
  cilk_sync;

  merge(low, 2 * quarter, high, quarter + rest, data);
}

static int ascending(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

int main(int argc, char **argv) {
  long count = argument(argc, argv, 1, 60000);
  int *data = malloc(count * sizeof *data);
  int *scratch = malloc(count * sizeof *scratch);
  int *expected = malloc(count * sizeof *expected);
  for (long i = 0; i < count; ++i)
    expected[i] = data[i] = (int)(scramble(i) % 1000003);

  stopwatch watch = stopwatch_start();
  sort(data, scratch, count);
  stopwatch_stop(watch);
  qsort(expected, count, sizeof *expected, ascending);
  CHECK(memcmp(data, expected, count * sizeof *data) == 0);
  printf("sorted %ld: median %d\n", count, data[count / 2]);
  free(data);
  free(scratch);
  free(expected);
  return 0;
}
