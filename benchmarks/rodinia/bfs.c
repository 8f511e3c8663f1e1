//===- bfs.c - Breadth-first search -------------------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Level by level: `Kernel` visits the neighbours of the frontier, `Kernel2`
// makes of those found the next one. Many may find a node at once, and then all
// write the same; so they write with relaxed atomic stores.
//
//===----------------------------------------------------------------------===//
// ARGS: quick
// LIBS: -lm
// SANITIZE: yes

#include "rodinia.h"

/* Where a node's edges begin, and their number. */
typedef struct {
  int first, count;
} node;

typedef struct {
  int nodes;
  int *first;   /* nodes + 1: where a node's edges begin */
  node *pairs;  /* the same, in Rodinia's layout */
  int *targets; /* of the edges */
} graph;

static graph random_graph(int nodes) {
  graph g = {nodes, allocate(nodes + 1, sizeof(int)),
             allocate(nodes, sizeof(node)), NULL};
  for (int n = 0; n < nodes; ++n)
    g.first[n + 1] = g.first[n] + 1 + uniform_int(1, n, 11);
  for (int n = 0; n < nodes; ++n)
    g.pairs[n] = (node){g.first[n], g.first[n + 1] - g.first[n]};
  g.targets = allocate(g.first[nodes], sizeof(int));
  for (int e = 0; e < g.first[nodes]; ++e)
    g.targets[e] = uniform_int(2, e, nodes);
  return g;
}

static void Kernel(const graph *g, char *frontier, char *updating,
                   const char *visited, int *cost) {
  int nodes = g->nodes;
#ifdef RODINIA_LAYOUT
  const node *pairs = g->pairs;
#define BEGIN(n) pairs[n].first
#define END(n) (pairs[n].first + pairs[n].count)
#else
  const int *first = g->first;
#define BEGIN(n) first[n]
#define END(n) first[n + 1]
#endif
  const int *targets = g->targets;
  cilk_for (int n = 0; n < nodes; ++n)
    if (frontier[n]) {
      frontier[n] = 0;
      int next = cost[n] + 1;
      for (int e = BEGIN(n); e < END(n); ++e) {
        int target = targets[e];
        if (!visited[target]) {
          __atomic_store_n(&cost[target], next, __ATOMIC_RELAXED);
          __atomic_store_n(&updating[target], 1, __ATOMIC_RELAXED);
        }
      }
    }
}

static void Kernel2(int nodes, char *frontier, char *updating, char *visited,
                    int *more) {
  cilk_for (int n = 0; n < nodes; ++n)
    if (updating[n]) {
      frontier[n] = 1;
      visited[n] = 1;
      updating[n] = 0;
      __atomic_store_n(more, 1, __ATOMIC_RELAXED);
    }
}

/* With a queue. */
static void reference(const graph *g, int *cost) {
  int *queue = allocate(g->nodes, sizeof(int)), end = 1;
  cost[0] = 0;
  for (int begin = 0; begin < end; ++begin) {
    int n = queue[begin];
    for (int e = g->first[n]; e < g->first[n + 1]; ++e)
      if (cost[g->targets[e]] < 0) {
        cost[g->targets[e]] = cost[n] + 1;
        queue[end++] = g->targets[e];
      }
  }
  free(queue);
}

int main(int argc, char **argv) {
  int nodes = problem_size(argc, argv, 1000000, 2000, 1, 100000000);
  graph g = random_graph(nodes);
  char *frontier = allocate(nodes, 1), *updating = allocate(nodes, 1);
  char *visited = allocate(nodes, 1);
  size_t size = nodes * sizeof(int);
  int *cost = allocate(1, size), *expected = allocate(1, size), more = 1;
  memset(cost, -1, size);
  memset(expected, -1, size);
  cost[0] = 0;
  frontier[0] = visited[0] = 1;
  while (more) {
    more = 0;
    Kernel(&g, frontier, updating, visited, cost);
    Kernel2(nodes, frontier, updating, visited, &more);
  }
  reference(&g, expected);
  check_ints("cost", cost, expected, nodes);
  uint64_t sum = checksum(cost, size);
  free(g.first), free(g.pairs), free(g.targets), free(frontier), free(updating);
  free(visited), free(cost), free(expected);
  return report("bfs", nodes, sum);
}
