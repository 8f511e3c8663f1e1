//===- wild-two-phases.c - Sort, sync, merge, sync ----------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// "Two sync phases (sort, then merge) with different callees": what the first
// phase wrote is input of the second.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>
#include <string.h>

static void place(const int *from, int count, int other, const int *others,
                  int *to, int wins_ties) {
  for (int i = 0, j = 0; i < count; ++i) {
    while (j < other &&
           (wins_ties ? others[j] < from[i] : others[j] <= from[i]))
      ++j;
    to[i + j] = from[i];
  }
}

static void sort(int *data, int *scratch, int count) {
  if (count < 2)
    return;
  int half = count / 2;
  cilk_spawn sort(data, scratch, half);
  cilk_spawn sort(data + half, scratch + half, count - half);
  cilk_sync;
  /* Each element of one half goes to its own rank plus that in the other. */
  cilk_spawn place(data, half, count - half, data + half, scratch, 1);
  cilk_spawn place(data + half, count - half, half, data, scratch, 0);
  cilk_sync;
  memcpy(data, scratch, count * sizeof *data);
}

static int ascending(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}

int main(void) {
  enum { Count = 3000 };
  static int data[Count], scratch[Count], expected[Count];
  for (int i = 0; i < Count; ++i)
    data[i] = expected[i] = (int)(scramble(i) % 1000);
  sort(data, scratch, Count);
  qsort(expected, Count, sizeof *expected, ascending);
  CHECK(memcmp(data, expected, sizeof data) == 0);
  printf("%d %d %d\n", data[0], data[Count / 2], data[Count - 1]);
  return 0;
}
