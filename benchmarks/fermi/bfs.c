//===- bfs.c - Breadth-first search in one kernel -----------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A launch has a thread for each of 65,536 nodes. A thread whose node is marked
// marks the neighbours that have not been visited. Threads that begin later find
// marks of the same launch. So costs are not least, and launches do different
// work on different machines. What threads write for others is atomic. The end of
// a node's edges is loaded again after stores: the loads that the log counts show
// that the published kernel does so.
//
// The graph has what the published one has: undirected edges between random
// nodes, 6 on average for a node and at least one, and a source with 8.
//
//===----------------------------------------------------------------------===//

#include "fermi.h"

enum { Nodes = 65536, Edges = 6 * Nodes };

/* Where a node's edges begin, and their number. */
typedef struct {
  int first, count;
} node;

static int get(const int *at) { return __atomic_load_n(at, __ATOMIC_RELAXED); }
static void set(int *at, int to) { __atomic_store_n(at, to, __ATOMIC_RELAXED); }
static bool is_set(const bool *at) {
  return __atomic_load_n(at, __ATOMIC_RELAXED);
}
static void put(bool *at, bool to) {
  __atomic_store_n(at, to, __ATOMIC_RELAXED);
}

static void launch(const node *nodes, const int *edges, bool *marked,
                   bool *visited, int *cost, bool *more, int count) {
  cilk_for (int n = 0; n < count; ++n)
    if (is_set(&marked[n])) {
      put(&marked[n], false);
      put(&visited[n], true);
      for (int e = nodes[n].first; e < nodes[n].first + nodes[n].count; ++e) {
        int target = edges[e];
        if (!is_set(&visited[target])) {
          set(&cost[target], get(&cost[n]) + 1);
          put(&marked[target], true);
          put(more, true);
        }
      }
    }
}

/* Edge number i of a node: the first is its own, the others are anyone's. */
static void ends(int n, int i, int *a, int *b) {
  *a = i ? uniform_int(2 * i, n, Nodes) : n;
  *b = uniform_int(2 * i + 1, n, Nodes);
}

static void make_graph(node *nodes, int *edges) {
  int a, b, *filled = allocate(Nodes, sizeof(int));
  for (int i = 0; i < 3 * Nodes; ++i) {
    ends(i / 3, i % 3, &a, &b);
    ++nodes[a].count, ++nodes[b].count;
  }
  for (int n = 1; n < Nodes; ++n)
    nodes[n].first = nodes[n - 1].first + nodes[n - 1].count;
  for (int i = 0; i < 3 * Nodes; ++i) {
    ends(i / 3, i % 3, &a, &b);
    edges[nodes[a].first + filled[a]++] = b;
    edges[nodes[b].first + filled[b]++] = a;
  }
  free(filled);
}

/* Nodes that can be reached have been visited, at no less than the least cost. */
static void check_costs(const node *nodes, const int *edges,
                        const bool *visited, const int *cost, int source) {
  int *least = allocate(Nodes, sizeof(int)),
      *queue = allocate(Nodes, sizeof(int));
  int end = 0;
  least[source] = 1;
  queue[end++] = source;
  for (int begin = 0; begin < end; ++begin) {
    node from = nodes[queue[begin]];
    for (int e = from.first; e < from.first + from.count; ++e)
      if (!least[edges[e]]) {
        least[edges[e]] = least[queue[begin]] + 1;
        queue[end++] = edges[e];
      }
  }
  for (int n = 0; n < Nodes; ++n) {
    CHECK(visited[n] == (least[n] != 0));
    CHECK(!visited[n] || cost[n] >= least[n] - 1);
  }
  free(least), free(queue);
}

int main(int argc, char **argv) {
  long most = argument(argc, argv, 1, 100);
  node *nodes = allocate(Nodes, sizeof(node));
  int *edges = allocate(Edges, sizeof(int)), source = 0;
  make_graph(nodes, edges);
  while (nodes[source].count != 8)
    ++source;
  bool *marked = allocate(Nodes, sizeof(bool)), *more = allocate(1, 1);
  bool *visited = allocate(Nodes, sizeof(bool));
  int *cost = allocate(Nodes, sizeof(int));
  marked[source] = *more = true;
  copied(nodes, Nodes * sizeof(node));
  copied(edges, Edges * sizeof(int));
  copied(marked, Nodes);
  copied(visited, Nodes);
  copied(cost, Nodes * sizeof(int));
  long launches = 0;
  for (; launches < most && *more; ++launches) {
    *more = false;
    launch(nodes, edges, marked, visited, cost, more, Nodes);
  }
  if (!*more)
    check_costs(nodes, edges, visited, cost, source);
  printf("bfs launches %ld\n", launches);
  free(nodes), free(edges), free(marked), free(visited), free(cost), free(more);
}
