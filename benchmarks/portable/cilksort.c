//===- cilksort.c - Merge sort with parallel merges, portable -----*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See peer.h.
//
//===----------------------------------------------------------------------===//

#include "../peers/peer.h"

#define main elided_main
#include "../programs/cilksort.c"
#undef main

PROCEDURE_5(merge_task, const int *, a, long, a_count, const int *, b, long,
            b_count, int *, out) {
  if (a_count + b_count <= MergeLeaf) {
    SERIAL(merge_serially, a, a_count, b, b_count, out);
    LEAVE_VOID;
  }
  if (a_count < b_count) {
    CALL_VOID(merge_task, b, b_count, a, a_count, out);
    LEAVE_VOID;
  }
  long a_half = a_count / 2;
  long b_half = rank(b, b_count, a[a_half]);
  GROUP;
  FORK_VOID(merge_task, a, a_half, b, b_half, out);
  CALL_VOID(merge_task, a + a_half, a_count - a_half, b + b_half,
            b_count - b_half, out + a_half + b_half);
  WAIT;
  JOIN_VOID(merge_task);
  RETURN_VOID;
}

PROCEDURE_3(sort_task, int *, data, int *, scratch, long, count) {
  if (count <= SortLeaf) {
    SERIAL(quicksort, data, count);
    LEAVE_VOID;
  }
  long quarter = count / 4, rest = count - 3 * quarter;
  int *a = data, *b = a + quarter, *c = b + quarter, *d = c + quarter;
  int *low = scratch, *high = scratch + 2 * quarter;

  GROUP;
  FORK_VOID(sort_task, a, low, quarter);
  FORK_VOID(sort_task, b, low + quarter, quarter);
  FORK_VOID(sort_task, c, high, quarter);
  CALL_VOID(sort_task, d, high + quarter, rest);
  WAIT;
  for (int i = 0; i < 3; ++i)
    JOIN_VOID(sort_task);

  FORK_VOID(merge_task, a, quarter, b, quarter, low);
  CALL_VOID(merge_task, c, quarter, d, rest, high);
  WAIT;
  JOIN_VOID(merge_task);

  CALL_VOID(merge_task, low, 2 * quarter, high, quarter + rest, data);
  RETURN_VOID;
}

int main(int argc, char **argv) {
  START;
  long count = argument(argc, argv, 1, 30000);
  int *data = make_numbers(count), *scratch = make_numbers(count);
  stopwatch watch = stopwatch_start();
  RUN_VOID(sort_task, data, scratch, count);
  stopwatch_stop(watch);
  report(data, count);
  STOP;
  return 0;
}
