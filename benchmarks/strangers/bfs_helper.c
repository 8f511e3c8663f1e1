//===- bfs_helper.c - Makes the graph of bfs.c --------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A random graph in compressed rows.
//
//===----------------------------------------------------------------------===//

#include "../../test/Support/check.h"
#include "bfs.h"

void graph_init(struct graph *g, int vertices, int degree) {
  g->vertices = vertices;
  g->first = malloc((vertices + 1) * sizeof(int));
  g->targets = malloc((size_t)vertices * degree * sizeof(int));
  CHECK(g->first && g->targets);
  int edges = 0;
  for (int v = 0; v < vertices; v++) {
    g->first[v] = edges;
    for (int i = 0; i < degree; i++)
      if (scramble(((uint64_t)v << 8) + 128 + i) % 4 != 0)
        g->targets[edges++] =
            (int)(scramble(((uint64_t)v << 8) + i) % vertices);
  }
  g->first[vertices] = edges;
}

void graph_free(struct graph *g) {
  free(g->first);
  free(g->targets);
}
