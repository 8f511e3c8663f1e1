//===- queens.c - Eight queens, one warp with work ----------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of 24,576 threads, 21 have the queens of two rows, and seek places for the
// others with stacks in their own memory: half of all, as the other half are their
// images. So one warp works alone, and each of its steps waits for the last one.
//
//===----------------------------------------------------------------------===//

#include "fermi.h"

enum { Size = 8, Depth = 10, Threads = 256 * 96 };

/* Columns, and diagonals to both sides, that queens attack in the next row. */
typedef struct {
  unsigned columns, left, right;
} attacks;

static attacks with_queen(attacks a, unsigned queen) {
  return (attacks){a.columns | queen, (a.left | queen) << 1,
                   (a.right | queen) >> 1};
}

static void solve(const unsigned *columns, const unsigned *lefts,
                  const unsigned *rights, unsigned *results, int conditions,
                  int rows) {
  cilk_for (int t = 0; t < Threads; ++t) {
    unsigned column[Depth], left[Depth], right[Depth], tried[Depth];
    const unsigned all = (1u << Size) - 1;
    unsigned solutions = 0;
    if (t < conditions) {
      int row = 0;
      column[0] = columns[t], left[0] = lefts[t], right[0] = rights[t];
      tried[0] = column[0] | left[0] | right[0];
      while (row >= 0) {
        unsigned queen = (tried[row] + 1) & ~tried[row] & all;
        if (!queen) {
          --row;
          continue;
        }
        tried[row] |= queen;
        if (row + 1 == rows) {
          ++solutions;
          --row;
          continue;
        }
        column[row + 1] = column[row] | queen;
        left[row + 1] = (left[row] | queen) << 1;
        right[row + 1] = (right[row] | queen) >> 1;
        tried[row + 1] = column[row + 1] | left[row + 1] | right[row + 1];
        ++row;
      }
    }
    results[t] = solutions;
  }
}

int main(int argc, char **argv) {
  unsigned *columns = allocate(Threads, sizeof(unsigned));
  unsigned *lefts = allocate(Threads, sizeof(unsigned));
  unsigned *rights = allocate(Threads, sizeof(unsigned));
  unsigned *results = allocate(Threads, sizeof(unsigned)), found = 0;
  int conditions = 0;
  for (unsigned a = 1; a < 1u << (Size / 2); a <<= 1)
    for (unsigned b = 1; b < 1u << Size; b <<= 1) {
      attacks one = with_queen((attacks){0, 0, 0}, a);
      if (b & (one.columns | one.left | one.right))
        continue;
      attacks two = with_queen(one, b);
      columns[conditions] = two.columns;
      lefts[conditions] = two.left;
      rights[conditions++] = two.right;
    }
  copied(columns, Threads * sizeof(unsigned));
  copied(lefts, Threads * sizeof(unsigned));
  copied(rights, Threads * sizeof(unsigned));
  if (!argument(argc, argv, 1, 1))
    return 0;
  solve(columns, lefts, rights, results, conditions, Size - 2);
  for (int t = 0; t < Threads; ++t)
    found += 2 * results[t];
  CHECK_EQUAL(found, 92);
  printf("queens %u\n", found);
  free(columns), free(lefts), free(rights), free(results);
}
