//===- mergesort.c - Merge sort by rounds of cilk_for -------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs are sorted by a parallel loop, then merged in pairs, round by round. As
// the runs get fewer, each merge is itself divided into pieces of the result,
// which find their places in both runs by bisection: a loop in a loop. Equal
// keys keep their order, so qsort with the order as second key says the same.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// BENCH-ARGS: 1000000
// VGIW-ARGS: 3000
// VGIW-SAMPLE: yes

#include "../Support/check.h"
#include "../Support/stopwatch.h"
#include <cilk/cilk.h>
#include <string.h>

enum { Run = 32, Piece = 512 };

typedef struct {
  int key;
  int name; /* where it was at first */
} record;

static void sort_run(record *data, long count) {
  for (long i = 1; i < count; ++i) {
    record moved = data[i];
    long j = i;
    for (; j > 0 && data[j - 1].key > moved.key; --j)
      data[j] = data[j - 1];
    data[j] = moved;
  }
}

static long least(long a, long b) { return a < b ? a : b; }

/* How many of the first `rank` merged records are from a. */
static long from_first(const record *a, long a_count, const record *b,
                       long b_count, long rank) {
  long low = rank > b_count ? rank - b_count : 0, high = least(rank, a_count);
  while (low < high) {
    long i = low + (high - low) / 2, j = rank - i;
    /* a[i] comes before b[j - 1] if it is not larger. */
    if (a[i].key <= b[j - 1].key)
      low = i + 1;
    else
      high = i;
  }
  return low;
}

static void merge_piece(const record *a, long a_count, const record *b,
                        long b_count, record *out, long first, long last) {
  long i = from_first(a, a_count, b, b_count, first), j = first - i;
  for (long k = first; k < last; ++k)
    out[k] =
        j == b_count || (i < a_count && a[i].key <= b[j].key) ? a[i++] : b[j++];
}

/* One round: pairs of runs of that length from `data` to `out`. */
static void merge_runs(const record *data, record *out, long count,
                       long length) {
  cilk_for (long start = 0; start < count; start += 2 * length) {
    const record *a = data + start, *b = a + length;
    long a_count = least(length, count - start);
    long b_count = least(length, count - start - a_count);
    cilk_for (long first = 0; first < a_count + b_count; first += Piece)
      merge_piece(a, a_count, b, b_count, out + start, first,
                  least(first + Piece, a_count + b_count));
  }
}

static void mergesort_records(record *data, record *scratch, long count) {
  record *from = data, *to = scratch;
#pragma cilk grainsize 4
  cilk_for (long i = 0; i < count; i += Run)
    sort_run(data + i, least(Run, count - i));
  for (long length = Run; length < count; length *= 2) {
    merge_runs(from, to, count, length);
    record *swap = from;
    from = to;
    to = swap;
  }
  if (from != data)
    memcpy(data, from, count * sizeof *data);
}

static int ascending(const void *a, const void *b) {
  const record *x = a, *y = b;
  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  return (x->name > y->name) - (x->name < y->name);
}

int main(int argc, char **argv) {
  long count = argument(argc, argv, 1, 50000);
  record *data = malloc(count * sizeof *data);
  record *scratch = malloc(count * sizeof *scratch);
  record *expected = malloc(count * sizeof *expected);
  CHECK(data && scratch && expected);
  cilk_for (long i = 0; i < count; ++i)
    expected[i] = data[i] =
        (record){(int)(scramble(i) % (count / 4 + 1)), (int)i};
  stopwatch watch = stopwatch_start();
  mergesort_records(data, scratch, count);
  stopwatch_stop(watch);
  qsort(expected, count, sizeof *expected, ascending);
  CHECK(memcmp(data, expected, count * sizeof *data) == 0);
  printf("mergesort %ld: checksum %016llx\n", count,
         (unsigned long long)checksum(data, count * sizeof *data));
  free(data), free(scratch), free(expected);
  return 0;
}
