//===- cilksort.c - Merge sort with parallel merges ---------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Four quarters are sorted and merged in pairs, a merge splits where the middle
// of its longer run belongs in the other. Below a few thousand elements both
// are serial.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../../test/Support/check.h"
#include "../../test/Support/stopwatch.h"
#include <cilk/cilk.h>

#include <string.h>

enum { SortLeaf = 2048, MergeLeaf = 4096, InsertionLeaf = 20 };

static void insertion_sort(int *data, long count) {
  for (long i = 1; i < count; ++i) {
    int value = data[i];
    long j = i;
    for (; j > 0 && data[j - 1] > value; --j)
      data[j] = data[j - 1];
    data[j] = value;
  }
}

static int median(int a, int b, int c) {
  int low = a < b ? a : b, high = a < b ? b : a;
  return c < low ? low : c > high ? high : c;
}

static void quicksort(int *data, long count) {
  while (count > InsertionLeaf) {
    int pivot = median(data[0], data[count / 2], data[count - 1]);
    long i = 0, j = count - 1;
    while (i <= j) {
      while (data[i] < pivot)
        ++i;
      while (data[j] > pivot)
        --j;
      if (i <= j) {
        int swap = data[i];
        data[i++] = data[j];
        data[j--] = swap;
      }
    }
    quicksort(data, j + 1);
    data += i;
    count -= i;
  }
  insertion_sort(data, count);
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

static void merge_serially(const int *a, long a_count, const int *b,
                           long b_count, int *out) {
  const int *a_end = a + a_count, *b_end = b + b_count;
  while (a < a_end && b < b_end)
    *out++ = *b < *a ? *b++ : *a++;
  memcpy(out, a, (a_end - a) * sizeof *a);
  memcpy(out + (a_end - a), b, (b_end - b) * sizeof *b);
}

static void merge(const int *a, long a_count, const int *b, long b_count,
                  int *out) {
  if (a_count + b_count <= MergeLeaf) {
    merge_serially(a, a_count, b, b_count, out);
    return;
  }
  if (a_count < b_count) {
    merge(b, b_count, a, a_count, out);
    return;
  }
  long a_half = a_count / 2;
  long b_half = rank(b, b_count, a[a_half]);
  cilk_spawn merge(a, a_half, b, b_half, out);
  merge(a + a_half, a_count - a_half, b + b_half, b_count - b_half,
        out + a_half + b_half);
  cilk_sync;
}

static void sort(int *data, int *scratch, long count) {
  if (count <= SortLeaf) {
    quicksort(data, count);
    return;
  }
  long quarter = count / 4, rest = count - 3 * quarter;
  int *a = data, *b = a + quarter, *c = b + quarter, *d = c + quarter;
  int *low = scratch, *high = scratch + 2 * quarter;

  cilk_spawn sort(a, low, quarter);
  cilk_spawn sort(b, low + quarter, quarter);
  cilk_spawn sort(c, high, quarter);
  sort(d, high + quarter, rest);
  cilk_sync;

  cilk_spawn merge(a, quarter, b, quarter, low);
  merge(c, quarter, d, rest, high);
  cilk_sync;

  merge(low, 2 * quarter, high, quarter + rest, data);
}

static int *make_numbers(long count) {
  int *data = (int *)malloc(count * sizeof *data);
  CHECK(data);
  for (long i = 0; i < count; ++i)
    data[i] = (int)(scramble(i) % 1000000007);
  return data;
}

static void report(const int *data, long count) {
  for (long i = 1; i < count; ++i)
    CHECK(data[i - 1] <= data[i]);
  printf("sorted %ld: checksum %016llx\n", count,
         (unsigned long long)checksum(data, count * sizeof *data));
}

int main(int argc, char **argv) {
  long count = argument(argc, argv, 1, 30000);
  int *data = make_numbers(count), *scratch = make_numbers(count);
  stopwatch watch = stopwatch_start();
  sort(data, scratch, count);
  stopwatch_stop(watch);
  report(data, count);
  free(data);
  free(scratch);
  return 0;
}
