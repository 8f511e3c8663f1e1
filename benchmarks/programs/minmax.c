//===- minmax.c - Noughts and crosses to a fixed depth ------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On a board of four by four. Every move is tried, to a given number of moves;
// what is left is worth as many lines as are open to one player and not to the
// other. Nothing is cut off.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// VGIW-ARGS: 2

#include "../../test/Support/check.h"
#include "../../test/Support/stopwatch.h"
#include <cilk/cilk.h>

enum { Lines = 10, Win = 100, All = 0xffff };

static const unsigned short lines[Lines] = {0x000f, 0x00f0, 0x0f00, 0xf000,
                                            0x1111, 0x2222, 0x4444, 0x8888,
                                            0x8421, 0x1248};

static int has_line(unsigned stones) {
  int found = 0;
  for (int i = 0; i < Lines; ++i)
    found |= (stones & lines[i]) == lines[i];
  return found;
}

static int worth(unsigned own, unsigned other) {
  int sum = 0;
  for (int i = 0; i < Lines; ++i)
    sum += !(other & lines[i]) - !(own & lines[i]);
  return sum;
}

/* The value for whoever is to move. */
static int play(unsigned own, unsigned other, int moves) {
  if (has_line(other))
    return -Win;
  unsigned open = All & ~(own | other);
  if (moves == 0 || !open)
    return worth(own, other);
  int value[16], count = 0, best = -Win;
  for (; open; open &= open - 1)
    value[count++] = cilk_spawn play(other, own | (open & -open), moves - 1);
  cilk_sync;
  for (int i = 0; i < count; ++i)
    if (-value[i] > best)
      best = -value[i];
  return best;
}

int main(int argc, char **argv) {
  int moves = (int)argument(argc, argv, 1, 4);
  stopwatch watch = stopwatch_start();
  int value = play(0, 0, moves);
  stopwatch_stop(watch);
  printf("minmax of %d moves: %d\n", moves, value);
  return 0;
}
