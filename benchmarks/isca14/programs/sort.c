//===- sort.c - ISCA'14: merge sort with parallel merges ----------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sorts an array in the structure of `cilksort` of the MIT Cilk distribution:
//
//   data     | A   | B   | C   | D   |   four tasks sort the quarters,
//   scratch  | A and B   | C and D   |   two tasks merge them in pairs,
//   data     | A, B, C and D         |   one task merges the pairs.
//
// At most 64 elements are a base case: quicksort, and insertion sort of what is
// small. Its code has many branches, as the paper's base case has, which was
// taken from a program for a CPU. A merge splits the longer run in the middle
// and the other where that element belongs. It is serial if the shorter run has
// at most 64 elements. (The paper does not tell; the test is cilksort's.)
//
// Four kernel nodes: three parts of `sort`, and `merge`. Table 3 has 1,000,000
// elements and 4,238 wavefronts. With each level of the trees in wavefronts of
// 64 threads, this program's input takes 344 for `sort`, 2 * 88 for its other
// parts, and 3,663 for `merge`: 4,183, which is 1.3 % less.
//
//   $ sort 1000
//   sort 1000: 0 to 999
//   ok
//
//===----------------------------------------------------------------------===//

#include "isca14.h"

enum { SortBase = 64, MergeBase = 64, InsertionBase = 20, StackDepth = 8 };

static void insertion_sort(int *data, int count) {
  for (int i = 1; i < count; ++i) {
    int value = data[i], j = i;
    for (; j > 0 && data[j - 1] > value; --j)
      data[j] = data[j - 1];
    data[j] = value;
  }
}

static int median(int a, int b, int c) {
  if (a < b)
    return b < c ? b : a < c ? c : a;
  return a < c ? a : b < c ? c : b;
}

/* Moves what is smaller than the pivot to the left, what is larger to the
   right. Returns how many elements are on the left: not all, and not none. */
static int partition(int *data, int count) {
  int pivot = median(data[0], data[count / 2], data[count - 1]);
  int i = 0, j = count - 1;
  for (;;) {
    while (data[i] < pivot)
      ++i;
    while (data[j] > pivot)
      --j;
    if (i >= j)
      return j + 1 < count ? j + 1 : j;
    int swap = data[i];
    data[i++] = data[j];
    data[j--] = swap;
  }
}

/* Quicksort with a stack of its own, as threads of a GPU cannot recur. The
   longer part waits on the stack. So each entry is for at most half as many
   elements as the one below. */
static void sort_serially(int *data, int count) {
  int starts[StackDepth], ends[StackDepth], depth = 0;
  int start = 0, end = count;
  for (;;) {
    while (end - start > InsertionBase) {
      int middle = start + partition(data + start, end - start);
      if (middle - start > end - middle) {
        starts[depth] = start;
        ends[depth++] = middle;
        start = middle;
      } else {
        starts[depth] = middle;
        ends[depth++] = end;
        end = middle;
      }
    }
    insertion_sort(data + start, end - start);
    if (depth == 0)
      return;
    start = starts[--depth];
    end = ends[depth];
  }
}

/* The number of elements of the sorted run that are smaller than the key. */
static int rank(const int *run, int count, int key) {
  int low = 0, high = count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (run[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void merge_serially(const int *a, int a_count, const int *b, int b_count,
                           int *out) {
  int i = 0, j = 0;
  while (i < a_count && j < b_count) {
    if (a[i] < b[j])
      *out++ = a[i++];
    else
      *out++ = b[j++];
  }
  while (i < a_count)
    *out++ = a[i++];
  while (j < b_count)
    *out++ = b[j++];
}

static void merge(const int *a, int a_count, const int *b, int b_count,
                  int *out) {
  if (a_count < b_count) {
    const int *run = a;
    a = b;
    b = run;
    int count = a_count;
    a_count = b_count;
    b_count = count;
  }
  if (b_count <= MergeBase) {
    merge_serially(a, a_count, b, b_count, out);
    return;
  }
  int i = a_count / 2, j = rank(b, b_count, a[i]);
  out[i + j] = a[i];
  cilk_spawn merge(a, i, b, j, out);
  cilk_spawn merge(a + i + 1, a_count - i - 1, b + j, b_count - j,
                   out + i + j + 1);
  cilk_sync;
}

static void sort(int *data, int *scratch, int count) {
  if (count <= SortBase) {
    sort_serially(data, count);
    return;
  }
  int quarter = count / 4, half = 2 * quarter, last = count - 3 * quarter;
  cilk_spawn sort(data, scratch, quarter);
  cilk_spawn sort(data + quarter, scratch + quarter, quarter);
  cilk_spawn sort(data + half, scratch + half, quarter);
  cilk_spawn sort(data + half + quarter, scratch + half + quarter, last);
  cilk_sync;
  cilk_spawn merge(data, quarter, data + quarter, quarter, scratch);
  cilk_spawn merge(data + half, quarter, data + half + quarter, last,
                   scratch + half);
  cilk_sync;
  cilk_spawn merge(scratch, half, scratch + half, quarter + last, data);
  cilk_sync;
}

static int ascending(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

/* A permutation of 0 to count - 1, or with `values` > 0 as many different
   numbers. */
static void fill(int *data, int count, int values) {
  for (int i = 0; i < count; ++i)
    data[i] = values ? i % values : i;
  for (int i = count - 1; i > 0; --i) {
    int other = (int)(scramble((uint64_t)i) % ((uint64_t)i + 1));
    int swap = data[i];
    data[i] = data[other];
    data[other] = swap;
  }
}

int main(int argc, char **argv) {
  int count = size_argument(argc, argv, 1, 1000000, 1, 1 << 30);
  int values = size_argument(argc, argv, 2, 0, 0, 1 << 30);
  int *data = allocate((size_t)count, sizeof *data);
  int *scratch = allocate((size_t)count, sizeof *scratch);
  int *expected = allocate((size_t)count, sizeof *expected);
  fill(data, count, values);
  memcpy(expected, data, (size_t)count * sizeof *data);
  sort(data, scratch, count);
  printf("sort %d: %d to %d\n", count, data[0], data[count - 1]);
  qsort(expected, (size_t)count, sizeof *expected, ascending);
  for (int i = 0; i < count; ++i)
    if (data[i] != expected[i])
      WRONG("sort %d: element %d is %d, not %d", count, i, data[i],
            expected[i]);
  free(data);
  free(scratch);
  free(expected);
  return report_ok();
}
