//===- colouring.c - Counting the colourings of a graph -----------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Vertex by vertex, a spawn for each colour that no neighbour has; the colours
// so far are in an array that each task copies to its own stack. Checked by
// dividing the vertices into classes first and giving the classes colours then.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// VGIW-ARGS: 8 3

#include "../Support/check.h"
#include "../Support/stopwatch.h"
#include <alloca.h>
#include <cilk/cilk.h>
#include <string.h>

enum { MaxVertices = 32, MaxColours = 16 };

typedef struct {
  int vertices, colours;
  unsigned neighbours[MaxVertices]; /* as bits */
} graph;

static int is_free(const graph *g, const char *colour, int vertex, int c) {
  for (int other = 0; other < vertex; ++other)
    if (g->neighbours[vertex] >> other & 1 && colour[other] == c)
      return 0;
  return 1;
}

/* Accumulates into a result that the caller holds, and returns the nodes. */
static long colourings(const graph *g, const char *given, int vertex,
                       long *total) {
  long nodes = 1, found[MaxColours] = {0};
  if (vertex == g->vertices) {
    *total = 1;
    return 1;
  }
  for (int c = 0; c < g->colours; ++c) {
    if (!is_free(g, given, vertex, c))
      continue;
    char *colour = (char *)alloca(vertex + 1);
    memcpy(colour, given, vertex);
    colour[vertex] = (char)c;
    nodes += cilk_spawn colourings(g, colour, vertex + 1, &found[c]);
  }
  cilk_sync;
  *total = 0;
  for (int c = 0; c < g->colours; ++c)
    *total += found[c];
  return nodes;
}

/* The number of ways to go on with the first `count` classes as they are,
   when at most g->colours of them may be named by different colours. */
static long partitions(const graph *g, unsigned *classes, int count,
                       int vertex) {
  if (vertex == g->vertices) {
    long names = 1;
    for (int c = 0; c < count; ++c)
      names *= g->colours - c;
    return names;
  }
  long sum = 0;
  for (int c = 0; c <= count && c < g->colours; ++c) {
    if (classes[c] & g->neighbours[vertex])
      continue;
    classes[c] |= 1u << vertex;
    sum += partitions(g, classes, c == count ? count + 1 : count, vertex + 1);
    classes[c] &= ~(1u << vertex);
  }
  return sum;
}

static graph make_graph(int vertices, int colours) {
  graph g = {vertices, colours, {0}};
  CHECK(vertices <= MaxVertices && colours <= MaxColours);
  for (int i = 0; i < vertices; ++i)
    for (int j = 0; j < i; ++j)
      if (scramble(i * 64 + j) % 10 < 3) {
        g.neighbours[i] |= 1u << j;
        g.neighbours[j] |= 1u << i;
      }
  return g;
}

int main(int argc, char **argv) {
  graph g = make_graph((int)argument(argc, argv, 1, 13),
                       (int)argument(argc, argv, 2, 4));
  unsigned classes[MaxColours] = {0};
  stopwatch watch = stopwatch_start();
  long total, nodes = colourings(&g, "", 0, &total);
  stopwatch_stop(watch);
  CHECK_EQUAL(total, partitions(&g, classes, 0, 0));
  printf("%d vertices, %d colours: %ld colourings, %ld nodes\n", g.vertices,
         g.colours, total, nodes);
  return 0;
}
