//===- tsp.c - A round trip by branch and bound -------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The shortest round trip through some towns by branch and bound. All tasks
// share the length of the best trip so far, which is atomic, and give up where
// even the shortest ways out of the towns that are left cannot beat it. The
// argument is the number of towns.
//
// grain: fine
//
//===----------------------------------------------------------------------===//

#include "../loops/loops.h"
#include <limits.h>
#include <math.h>
#include <stdatomic.h>

#define MAX_TOWNS 30

static int towns;
static int road[MAX_TOWNS][MAX_TOWNS];
static int shortest_out[MAX_TOWNS];
static atomic_int best;

static void lower_best(int length) {
  int known = atomic_load_explicit(&best, memory_order_relaxed);
  while (length < known && !atomic_compare_exchange_weak(&best, &known, length))
    ;
}

// `bound` is the length so far and the shortest ways out of the towns that are
// left, the one where we are included.
static void travel(int here, unsigned visited, int left, int length,
                   int bound) {
  if (left == 0) {
    lower_best(length + road[here][0]);
    return;
  }
  for (int next = 1; next < towns; next++) {
    if (visited & 1u << next)
      continue;
    int further = bound - shortest_out[here] + road[here][next];
    if (further >= atomic_load_explicit(&best, memory_order_relaxed))
      continue;
    cilk_spawn travel(next, visited | 1u << next, left - 1,
                      length + road[here][next], further);
  }
  cilk_sync;
}

static void make_map(void) {
  double x[MAX_TOWNS], y[MAX_TOWNS];
  for (int i = 0; i < towns; i++) {
    x[i] = (double)(scramble(2 * i) % 1000);
    y[i] = (double)(scramble(2 * i + 1) % 1000);
  }
  for (int i = 0; i < towns; i++) {
    shortest_out[i] = INT_MAX;
    for (int j = 0; j < towns; j++) {
      road[i][j] = (int)hypot(x[i] - x[j], y[i] - y[j]);
      if (i != j && road[i][j] < shortest_out[i])
        shortest_out[i] = road[i][j];
    }
  }
}

// The trip that always goes on to the nearest town that is left.
static int greedy(void) {
  unsigned visited = 1;
  int here = 0, length = 0;
  for (int i = 1; i < towns; i++) {
    int nearest = -1;
    for (int j = 1; j < towns; j++)
      if (!(visited & 1u << j) &&
          (nearest < 0 || road[here][j] < road[here][nearest]))
        nearest = j;
    visited |= 1u << nearest;
    length += road[here][nearest];
    here = nearest;
  }
  return length + road[here][0];
}

int main(int argc, char **argv) {
  towns = (int)first_argument(argc, argv, 19, 6);
  CHECK(towns <= MAX_TOWNS);
  make_map();

  stopwatch watch = stopwatch_start();
  atomic_init(&best, greedy());
  int bound = 0;
  for (int i = 0; i < towns; i++)
    bound += shortest_out[i];
  travel(0, 1, towns - 1, 0, bound);
  stopwatch_stop(watch);

  printf("%d towns: %d\n", towns, atomic_load(&best));
  return 0;
}
