//===- treesum.c - Sum of a tree of pointers ----------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A complete binary tree whose nodes lie in memory in no order.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// VGIW-ARGS: 6

#include "../../test/Support/check.h"
#include "../../test/Support/stopwatch.h"
#include <cilk/cilk.h>

typedef struct node {
  struct node *left, *right;
  long value;
} node;

static long sum(const node *tree) {
  if (!tree)
    return 0;
  long left = cilk_spawn sum(tree->left);
  long right = sum(tree->right);
  cilk_sync;
  return left + right + tree->value;
}

/* Nodes 2 * i and 2 * i + 1 are the children of node i. Returns node 1, which
   is where the memory begins. */
static node *make_tree(long count) {
  node *nodes = (node *)malloc(count * sizeof *nodes);
  unsigned *at = (unsigned *)malloc((count + 1) * sizeof *at);
  CHECK(nodes && at);
  for (long i = 0; i < count; ++i)
    at[i + 1] = (unsigned)i;
  for (long i = count; i > 2; --i) {
    long other = 2 + (long)(scramble(i) % (i - 1));
    unsigned swap = at[i];
    at[i] = at[other];
    at[other] = swap;
  }
  for (long i = 1; i <= count; ++i) {
    node *n = nodes + at[i];
    n->left = 2 * i <= count ? nodes + at[2 * i] : NULL;
    n->right = 2 * i < count ? nodes + at[2 * i + 1] : NULL;
    n->value = (long)(scramble(~i) % 1000);
  }
  free(at);
  return nodes;
}

int main(int argc, char **argv) {
  long count = (1l << argument(argc, argv, 1, 10)) - 1;
  node *tree = make_tree(count);
  stopwatch watch = stopwatch_start();
  long total = sum(tree);
  stopwatch_stop(watch);
  printf("tree of %ld nodes: %ld\n", count, total);
  free(tree);
  return 0;
}
