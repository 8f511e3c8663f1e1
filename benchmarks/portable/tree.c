//===- tree.c - Unbalanced tree, portable -------------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See peer.h.
//
//===----------------------------------------------------------------------===//

#include "../peers/peer.h"

#define main elided_main
#include "../programs/tree.c"
#undef main

FUNCTION_2(int, count_task, unsigned, name, int, depth) {
  int nodes = 1, children = child_count(name, depth), part[14];
  if (children == 0)
    LEAVE(1);
  GROUP;
  for (int i = 0; i < children; ++i)
    FORK(part[i], count_task, child_name(name, i), depth + 1);
  WAIT;
  for (int i = children; i-- > 0;) {
    JOIN(part[i], count_task);
    nodes += part[i];
  }
  RETURN(nodes);
}

int main(int argc, char **argv) {
  START;
  lowest_depth = (int)argument(argc, argv, 1, 8);
  int nodes;
  stopwatch watch = stopwatch_start();
  RUN(nodes, count_task, 0x12345683, 0);
  stopwatch_stop(watch);
  printf("tree of depth %d: %d nodes\n", lowest_depth, nodes);
  STOP;
  return 0;
}
