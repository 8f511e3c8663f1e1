//===- tree.c - Unbalanced tree -----------------------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Like the geometric trees of UTS: how many children a node has, and their
// names, follow from a hash of its own name, down to a given depth.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// VGIW-ARGS: 6

#include "../../test/Support/check.h"
#include "../../test/Support/stopwatch.h"
#include <cilk/cilk.h>

static int lowest_depth;

static unsigned child_name(unsigned name, int index) {
  unsigned x = name + 0x9e3779b9u * (unsigned)(index + 1);
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}

/* Two on average, at most 14. */
static int child_count(unsigned name, int depth) {
  if (depth == lowest_depth)
    return 0;
  return __builtin_ctz(name | 0x80) + __builtin_ctz(name >> 8 | 0x80);
}

static int count_nodes(unsigned name, int depth) {
  int nodes = 1, children = child_count(name, depth);
  for (int i = 0; i < children; ++i)
    nodes += cilk_spawn count_nodes(child_name(name, i), depth + 1);
  cilk_sync;
  return nodes;
}

int main(int argc, char **argv) {
  lowest_depth = (int)argument(argc, argv, 1, 8);
  stopwatch watch = stopwatch_start();
  int nodes = count_nodes(0x12345683, 0);
  stopwatch_stop(watch);
  printf("tree of depth %d: %d nodes\n", lowest_depth, nodes);
  return 0;
}
