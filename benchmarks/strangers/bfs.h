//===- bfs.h - The graph of bfs.c ---------------------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The neighbours of vertex v are targets[first[v]] up to targets[first[v + 1]].
//
//===----------------------------------------------------------------------===//

#ifndef BFS_H
#define BFS_H

struct graph {
  int vertices;
  int *first;
  int *targets;
};

/// A random graph with so many vertices, and edges from each of them.
void graph_init(struct graph *g, int vertices, int degree);
void graph_free(struct graph *g);

#endif
