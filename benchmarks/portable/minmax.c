//===- minmax.c - Noughts and crosses, portable -------------------*- C -*-===//
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
#include "../programs/minmax.c"
#undef main

FUNCTION_3(int, play_task, unsigned, own, unsigned, other, int, moves) {
  if (has_line(other))
    LEAVE(-Win);
  unsigned open = All & ~(own | other);
  if (moves == 0 || !open)
    LEAVE(worth(own, other));
  int value[16], count = 0, best = -Win;
  GROUP;
  for (; open; open &= open - 1) {
    FORK(value[count], play_task, other, own | (open & -open), moves - 1);
    ++count;
  }
  WAIT;
  for (int i = count; i-- > 0;) {
    JOIN(value[i], play_task);
    if (-value[i] > best)
      best = -value[i];
  }
  RETURN(best);
}

int main(int argc, char **argv) {
  START;
  int moves = (int)argument(argc, argv, 1, 4), value;
  stopwatch watch = stopwatch_start();
  RUN(value, play_task, 0, 0, moves);
  stopwatch_stop(watch);
  printf("minmax of %d moves: %d\n", moves, value);
  STOP;
  return 0;
}
