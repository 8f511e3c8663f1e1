//===- bfs.c - Breadth-first search -------------------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How many steps each vertex of a random graph is from the first, by parallel
// loops over the vertices of a level, which claim those of the next with an
// atomic operation. The argument is the number of vertices. The file
// bfs_helper.c makes the graph.
//
// grain: coarse
//
//===----------------------------------------------------------------------===//

#include "bfs.h"
#include "../loops/loops.h"
#include <stdatomic.h>

static int search(const struct graph *g, int start, atomic_int *level) {
  int *now = malloc(g->vertices * sizeof *now);
  int *next = malloc(g->vertices * sizeof *next);
  CHECK(now && next);
  cilk_for (int v = 0; v < g->vertices; v++)
    atomic_init(&level[v], -1);

  atomic_store(&level[start], 0);
  now[0] = start;
  int count = 1, depth = 0;
  while (count > 0) {
    atomic_int found = 0;
    depth++;
    cilk_for (int i = 0; i < count; i++) {
      int v = now[i];
      for (int e = g->first[v]; e < g->first[v + 1]; e++) {
        int w = g->targets[e], unknown = -1;
        if (atomic_load_explicit(&level[w], memory_order_relaxed) < 0 &&
            atomic_compare_exchange_strong(&level[w], &unknown, depth))
          next[atomic_fetch_add(&found, 1)] = w;
      }
    }
    count = atomic_load(&found);
    int *other = now;
    now = next;
    next = other;
  }
  free(now);
  free(next);
  return depth - 1;
}

int main(int argc, char **argv) {
  int n = (int)first_argument(argc, argv, 500000, 200);
  struct graph g;
  graph_init(&g, n, 8);
  atomic_int *level = malloc(n * sizeof *level);
  CHECK(level);

  stopwatch watch = stopwatch_start();
  int depth = 0;
  for (int turn = 0; turn < 5; turn++)
    depth += search(&g, turn, level);
  stopwatch_stop(watch);

  long sum = 0;
  for (int v = 0; v < n; v++)
    sum += atomic_load(&level[v]);
  printf("depths %d, steps %ld\n", depth, sum);
  graph_free(&g);
  free(level);
  return 0;
}
