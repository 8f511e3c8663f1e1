//===- call-callback.c - Calls from the C library's callbacks -----*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// qsort and bsearch call a spawning function from inside the library, from main
// and from inside tasks.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>
#include <string.h>

static int compared_by_weight;

static int weight(unsigned n) {
  if (n == 0)
    return 0;
  int low = cilk_spawn weight(n & (n - 1));
  cilk_sync;
  return low + 1;
}

/* By the number of one bits, then by value. */
static int compare(const void *a, const void *b) {
  unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
  int wx = cilk_spawn weight(x), wy = cilk_spawn weight(y);
  cilk_sync;
  if (wx != wy)
    return wx - wy;
  return (x > y) - (x < y);
}

static int sorted(const unsigned *values, int count) {
  for (int i = 1; i < count; ++i) {
    int before = __builtin_popcount(values[i - 1]);
    int after = __builtin_popcount(values[i]);
    if (before > after || (before == after && values[i - 1] > values[i]))
      return 0;
  }
  return 1;
}

static long sort_parts(unsigned *values, int count) {
  long found = 0;
  if (count > 100) {
    found += cilk_spawn sort_parts(values, count / 2);
    found += cilk_spawn sort_parts(values + count / 2, count - count / 2);
    cilk_sync;
    return found;
  }
  qsort(values, count, sizeof *values, compare);
  for (int i = 0; i < count; i += 7) {
    const unsigned *hit =
        bsearch(&values[i], values, count, sizeof *values, compare);
    CHECK(hit && *hit == values[i]);
    ++found;
  }
  CHECK(sorted(values, count));
  return found;
}

int main(void) {
  enum { Count = 400 };
  unsigned values[Count];
  for (int i = 0; i < Count; ++i)
    values[i] = (unsigned)scramble(i);
  CHECK_EQUAL(sort_parts(values, Count), 4 * 15);
  qsort(values, Count, sizeof *values, compare);
  CHECK(sorted(values, Count));
  compared_by_weight = weight(values[Count - 1]);
  printf("%x, weight %d\n", values[Count - 1], compared_by_weight);
  return 0;
}
