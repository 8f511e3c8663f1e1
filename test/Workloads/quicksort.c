//===- quicksort.c - Stable quicksort with parallel partition -----*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pieces of a range are counted by spawns, a running sum says where each goes,
// and they are scattered by spawns: smaller, equal and larger keys in three
// runs, each in the order it had. The two outer runs are sorted by spawns.
// Equal keys stay in order, so there is one right answer, which qsort finds
// too.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// BENCH-ARGS: 1000000
// VGIW-ARGS: 3000

#include "../Support/check.h"
#include "../Support/stopwatch.h"
#include <cilk/cilk.h>
#include <string.h>

enum { SortLeaf = 20, Piece = 256 };

typedef struct {
  unsigned key;
  unsigned name; /* where it was at first */
} record;

typedef struct {
  long at[3]; /* smaller, equal, larger */
} tally;

static int side(record r, unsigned pivot) {
  return r.key < pivot ? 0 : r.key == pivot ? 1 : 2;
}

static tally count_piece(const record *data, long count, unsigned pivot) {
  tally sum = {{0, 0, 0}};
  for (long i = 0; i < count; ++i)
    ++sum.at[side(data[i], pivot)];
  return sum;
}

static void scatter_piece(const record *data, long count, unsigned pivot,
                          tally next, record *out) {
  for (long i = 0; i < count; ++i)
    out[next.at[side(data[i], pivot)]++] = data[i];
}

static void copy_piece(record *to, const record *from, long count) {
  memcpy(to, from, count * sizeof *to);
}

static tally partition(record *data, record *scratch, long count,
                       unsigned pivot) {
  long pieces = (count + Piece - 1) / Piece;
  tally *start = malloc(pieces * sizeof *start), total = {{0, 0, 0}};
  CHECK(start);
  for (long i = 0; i < pieces; ++i) {
    long first = i * Piece, left = count - first;
    start[i] = cilk_spawn count_piece(data + first, left < Piece ? left : Piece,
                                      pivot);
  }
  cilk_sync;
  long position = 0;
  for (int k = 0; k < 3; ++k)
    for (long i = 0; i < pieces; ++i) {
      long here = start[i].at[k];
      start[i].at[k] = position;
      position += here;
      total.at[k] += here;
    }
  for (long i = 0; i < pieces; ++i) {
    long first = i * Piece, left = count - first;
    cilk_spawn scatter_piece(data + first, left < Piece ? left : Piece, pivot,
                             start[i], scratch);
  }
  cilk_sync;
  for (long first = 0; first < count; first += Piece)
    cilk_spawn copy_piece(data + first, scratch + first,
                          count - first < Piece ? count - first : Piece);
  cilk_sync;
  free(start);
  return total;
}

static void sort_small(record *data, long count) {
  for (long i = 1; i < count; ++i) {
    record moved = data[i];
    long j = i;
    for (; j > 0 && data[j - 1].key > moved.key; --j)
      data[j] = data[j - 1];
    data[j] = moved;
  }
}

static unsigned median(unsigned a, unsigned b, unsigned c) {
  if (a > b) {
    unsigned swap = a;
    a = b, b = swap;
  }
  return c < a ? a : c > b ? b : c;
}

static void quicksort(record *data, record *scratch, long count) {
  if (count <= SortLeaf) {
    sort_small(data, count);
    return;
  }
  unsigned pivot =
      median(data[0].key, data[count / 2].key, data[count - 1].key);
  tally found = partition(data, scratch, count, pivot);
  long larger = found.at[0] + found.at[1];
  cilk_spawn quicksort(data, scratch, found.at[0]);
  cilk_spawn quicksort(data + larger, scratch + larger, found.at[2]);
}

static int ascending(const void *a, const void *b) {
  const record *x = a, *y = b;
  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  return (x->name > y->name) - (x->name < y->name);
}

int main(int argc, char **argv) {
  long count = argument(argc, argv, 1, 40000);
  record *data = malloc(count * sizeof *data);
  record *scratch = malloc(count * sizeof *scratch);
  record *expected = malloc(count * sizeof *expected);
  CHECK(data && scratch && expected);
  for (long i = 0; i < count; ++i) {
    /* Some keys many times, most a few times. */
    uint64_t bits = scramble(i);
    unsigned key = bits % 4 == 0 ? bits / 4 % 7 : bits / 4 % count;
    expected[i] = data[i] = (record){key, (unsigned)i};
  }
  stopwatch watch = stopwatch_start();
  quicksort(data, scratch, count);
  stopwatch_stop(watch);
  qsort(expected, count, sizeof *expected, ascending);
  CHECK(memcmp(data, expected, count * sizeof *data) == 0);
  printf("quicksort %ld: checksum %016llx\n", count,
         (unsigned long long)checksum(data, count * sizeof *data));
  free(data), free(scratch), free(expected);
  return 0;
}
