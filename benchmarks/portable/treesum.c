//===- treesum.c - Sum of a tree of pointers, portable ------------*- C -*-===//
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
#include "../programs/treesum.c"
#undef main

FUNCTION_1(long, sum_task, const node *, tree) {
  if (!tree)
    LEAVE(0);
  long left, right;
  GROUP;
  FORK(left, sum_task, tree->left);
  CALL_TO(right, sum_task, tree->right);
  WAIT;
  JOIN(left, sum_task);
  RETURN(left + right + tree->value);
}

int main(int argc, char **argv) {
  START;
  long count = (1l << argument(argc, argv, 1, 10)) - 1, total;
  const node *tree = make_tree(count);
  stopwatch watch = stopwatch_start();
  RUN(total, sum_task, tree);
  stopwatch_stop(watch);
  printf("tree of %ld nodes: %ld\n", count, total);
  STOP;
  return 0;
}
