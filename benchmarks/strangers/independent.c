//===- independent.c - The largest independent set of a graph -----*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The size of the largest set of vertices of a graph of which no two are
// neighbours. A vertex with the most neighbours is in it or not; vertices with
// one neighbour at most are taken at once. The argument is the number of
// vertices, up to 128.
//
// grain: fine
//
//===----------------------------------------------------------------------===//

#include "../loops/loops.h"

typedef struct {
  uint64_t low, high;
} vertices;

static int order;
static vertices neighbours[128];

static vertices without(vertices s, vertices t) {
  s.low &= ~t.low;
  s.high &= ~t.high;
  return s;
}

static vertices one(int v) {
  vertices s = {v < 64 ? 1ull << v : 0, v < 64 ? 0 : 1ull << (v - 64)};
  return s;
}

static int contains(vertices s, int v) {
  return (v < 64 ? s.low >> v : s.high >> (v - 64)) & 1;
}

static int degree(vertices s, int v) {
  return __builtin_popcountll(s.low & neighbours[v].low) +
         __builtin_popcountll(s.high & neighbours[v].high);
}

static int largest(vertices left) {
  int most = -1, chosen = -1;
  for (int v = 0; v < order; v++) {
    if (!contains(left, v))
      continue;
    int d = degree(left, v);
    if (d <= 1)
      return 1 + largest(without(without(left, one(v)), neighbours[v]));
    if (d > most) {
      most = d;
      chosen = v;
    }
  }
  if (chosen < 0)
    return 0;

  vertices rest = without(left, one(chosen));
  int in = cilk_spawn largest(without(rest, neighbours[chosen]));
  int out = largest(rest);
  cilk_sync;
  return in + 1 > out ? in + 1 : out;
}

int main(int argc, char **argv) {
  order = (int)first_argument(argc, argv, 125, 15);
  CHECK(order <= 128);
  for (int i = 0; i < 4 * order; i++) {
    int v = (int)(scramble(2 * i) % order),
        w = (int)(scramble(2 * i + 1) % order);
    if (v == w)
      continue;
    neighbours[v].low |= one(w).low;
    neighbours[v].high |= one(w).high;
    neighbours[w].low |= one(v).low;
    neighbours[w].high |= one(v).high;
  }
  vertices all = {0, 0};
  for (int v = 0; v < order; v++) {
    all.low |= one(v).low;
    all.high |= one(v).high;
  }

  stopwatch watch = stopwatch_start();
  int size = largest(all);
  stopwatch_stop(watch);

  printf("%d of %d vertices\n", size, order);
  return 0;
}
