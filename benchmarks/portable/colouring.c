//===- colouring.c - Counting colourings, portable ----------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See peer.h. The arrays of all children are allocated together.
//
//===----------------------------------------------------------------------===//

#include "../peers/peer.h"

#define main elided_main
#include "../../test/Workloads/colouring.c"
#undef main

FUNCTION_4(long, colourings_task, const graph *, g, const char *, given, int,
           vertex, long *, total) {
  if (vertex == g->vertices) {
    *total = 1;
    LEAVE(1);
  }
  long nodes = 1, found[MaxColours], parts[MaxColours];
  int forks = 0;
  GROUP;
  ARRAY(char, colours, g->colours *(vertex + 1));
  for (int c = 0; c < g->colours; ++c) {
    if (!is_free(g, given, vertex, c))
      continue;
    char *colour = colours + forks * (vertex + 1);
    memcpy(colour, given, vertex);
    colour[vertex] = (char)c;
    FORK(parts[forks], colourings_task, g, colour, vertex + 1, &found[forks]);
    ++forks;
  }
  WAIT;
  *total = 0;
  for (int i = forks; i-- > 0;) {
    JOIN(parts[i], colourings_task);
    nodes += parts[i];
    *total += found[i];
  }
  RETURN(nodes);
}

int main(int argc, char **argv) {
  START;
  graph made = make_graph((int)argument(argc, argv, 1, 13),
                          (int)argument(argc, argv, 2, 4));
  const graph *g = &made;
  const char *none = "";
  long found, *total = &found, nodes;
  stopwatch watch = stopwatch_start();
  RUN(nodes, colourings_task, g, none, 0, total);
  stopwatch_stop(watch);
  printf("%d vertices, %d colours: %ld colourings, %ld nodes\n", g->vertices,
         g->colours, *total, nodes);
  STOP;
  return 0;
}
