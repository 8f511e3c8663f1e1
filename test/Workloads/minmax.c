//===- minmax.c - The whole tree of a board game ------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Noughts and crosses: every game is played to its end. Each move is a spawn,
// its result is negated for the other player, and finished games are counted by
// outcome: 255168 games, of which the first player wins 131184 and the second
// 77904. Besides, a longer game with numbers for squares is searched to a fixed
// depth and compared with a search that keeps its own stack.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// BENCH-ARGS: 14
// TIMEOUT: 240
// VGIW-ARGS: 5

#include "../Support/check.h"
#include "../Support/stopwatch.h"
#include <cilk/cilk.h>

enum { Squares = 9, Full = (1 << Squares) - 1 };

typedef struct {
  int value; /* 1: who is to move wins, -1: the other */
  int wins, losses, draws;
} outcome;

static int has_line(unsigned stones) {
  static const unsigned lines[] = {0007, 0070, 0700, 0111,
                                   0222, 0444, 0421, 0124};
  for (int i = 0; i < 8; ++i)
    if ((stones & lines[i]) == lines[i])
      return 1;
  return 0;
}

static outcome play(unsigned own, unsigned other) {
  if (has_line(other))
    return (outcome){-1, 0, 1, 0};
  if ((own | other) == Full)
    return (outcome){0, 0, 0, 1};
  outcome after[Squares], sum = {-1, 0, 0, 0};
  int moves = 0;
  for (int i = 0; i < Squares; ++i) {
    unsigned stone = 1u << i;
    if ((own | other) & stone)
      continue;
    after[moves++] = cilk_spawn play(other, own | stone);
  }
  cilk_sync;
  for (int i = 0; i < moves; ++i) {
    if (-after[i].value > sum.value)
      sum.value = -after[i].value;
    sum.wins += after[i].losses;
    sum.losses += after[i].wins;
    sum.draws += after[i].draws;
  }
  return sum;
}

/* The other game: from 1 to 5 moves at a place, whose worth follows from the
   moves that led there. */
typedef unsigned long long place;

static int move_count(place p) { return 1 + (int)(scramble(p) % 5); }
static place moved(place p, int i) { return scramble(p) + (place)i * 0x7f4a; }
static int worth(place p) { return (int)(scramble(~p) % 2001) - 1000; }

static int search(place p, int depth) {
  if (depth == 0)
    return worth(p);
  int count = move_count(p), best = -1000;
  int *value = (int[5]){0};
  for (int i = 0; i < count; ++i)
    value[i] = cilk_spawn search(moved(p, i), depth - 1);
  cilk_sync;
  for (int i = 0; i < count; ++i)
    if (-value[i] > best)
      best = -value[i];
  return best;
}

static int search_by_stack(place root, int depth) {
  struct {
    place at;
    int next, best;
  } stack[64];
  CHECK(depth < 64);
  int top = 0;
  stack[0].at = root, stack[0].next = 0, stack[0].best = -1000;
  for (;;) {
    int done = top == depth || stack[top].next == move_count(stack[top].at);
    if (!done) {
      place next = moved(stack[top].at, stack[top].next++);
      ++top;
      stack[top].at = next, stack[top].next = 0, stack[top].best = -1000;
      continue;
    }
    int value = top == depth ? worth(stack[top].at) : stack[top].best;
    if (top-- == 0)
      return value;
    if (-value > stack[top].best)
      stack[top].best = -value;
  }
}

int main(int argc, char **argv) {
  int depth = (int)argument(argc, argv, 1, 9);
  stopwatch watch = stopwatch_start();
  outcome all = play(0, 0);
  int value = search(1, depth);
  stopwatch_stop(watch);
  CHECK_EQUAL(all.value, 0);
  CHECK_EQUAL(all.wins, 131184);
  CHECK_EQUAL(all.losses, 77904);
  CHECK_EQUAL(all.draws, 46080);
  CHECK_EQUAL(value, search_by_stack(1, depth));
  printf("minmax: %d games; depth %d is worth %d\n",
         all.wins + all.losses + all.draws, depth, value);
  return 0;
}
