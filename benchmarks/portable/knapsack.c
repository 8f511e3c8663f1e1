//===- knapsack.c - Knapsack with a fixed bound, portable ---------*- C -*-===//
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
#include "../programs/knapsack.c"
#undef main

FUNCTION_4(int, fill_task, const item *, next, int, left, int, room, int,
           value) {
  if (room < 0)
    LEAVE(0);
  if (left == 0)
    LEAVE(value);
  if (value + room * next->value / next->weight < wanted)
    LEAVE(0);
  int with, without;
  GROUP;
  FORK(with, fill_task, next + 1, left - 1, room - next->weight,
       value + next->value);
  CALL_TO(without, fill_task, next + 1, left - 1, room, value);
  WAIT;
  JOIN(with, fill_task);
  RETURN(with > without ? with : without);
}

int main(int argc, char **argv) {
  START;
  int count = (int)argument(argc, argv, 1, 14), best;
  CHECK(count >= 1 && count <= MaxItems);
  item items[MaxItems];
  const item *first = items;
  int room = make_items(items, count);
  stopwatch watch = stopwatch_start();
  RUN(best, fill_task, first, count, room, 0);
  stopwatch_stop(watch);
  printf("knapsack of %d: %d\n", count, best);
  STOP;
  return 0;
}
