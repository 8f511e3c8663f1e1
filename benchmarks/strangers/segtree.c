//===- segtree.c - Questions to a segment tree --------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A segment tree over an array knows sum, least and greatest element of each of
// its intervals. The program builds it by recursion and then answers questions
// for intervals in a parallel loop, each by a recursion that spawns. The
// argument is the number of elements; there are as many questions.
//
// grain: fine
//
//===----------------------------------------------------------------------===//

#include "../loops/loops.h"
#include <limits.h>

struct info {
  long sum;
  int low, high;
};

static const struct info nothing = {0, INT_MAX, INT_MIN};

static struct info join(struct info a, struct info b) {
  a.sum += b.sum;
  a.low = b.low < a.low ? b.low : a.low;
  a.high = b.high > a.high ? b.high : a.high;
  return a;
}

struct segtree {
  int size;
  const int *values;
  struct info *nodes; // the children of node i are 2i and 2i + 1
};

static void build(struct segtree *tree, int node, int from, int to) {
  if (to - from == 1) {
    int v = tree->values[from];
    tree->nodes[node] = (struct info){v, v, v};
    return;
  }
  int middle = from + (to - from) / 2;
  cilk_spawn build(tree, 2 * node, from, middle);
  cilk_spawn build(tree, 2 * node + 1, middle, to);
  cilk_sync;
  tree->nodes[node] = join(tree->nodes[2 * node], tree->nodes[2 * node + 1]);
}

static struct info ask(const struct segtree *tree, int node, int from, int to,
                       int first, int end) {
  if (end <= from || to <= first)
    return nothing;
  if (first <= from && to <= end)
    return tree->nodes[node];
  int middle = from + (to - from) / 2;
  struct info left, right;
  left = cilk_spawn ask(tree, 2 * node, from, middle, first, end);
  right = ask(tree, 2 * node + 1, middle, to, first, end);
  cilk_sync;
  return join(left, right);
}

int main(int argc, char **argv) {
  int n = (int)first_argument(argc, argv, 700000, 100);
  int *values = malloc(n * sizeof(int));
  struct info *nodes = calloc(4 * (size_t)n, sizeof(struct info));
  long *answers = malloc(n * sizeof(long));
  CHECK(values && nodes && answers);
  for (int i = 0; i < n; i++)
    values[i] = (int)(scramble(i) % 2000) - 1000;

  stopwatch watch = stopwatch_start();
  struct segtree tree = {n, values, nodes};
  build(&tree, 1, 0, n);
  cilk_for (int q = 0; q < n; q++) {
    int a = (int)(scramble(2l * q) % n), b = (int)(scramble(2l * q + 1) % n);
    struct info found =
        ask(&tree, 1, 0, n, a < b ? a : b, a < b ? b + 1 : a + 1);
    answers[q] = found.sum + 1000l * found.low + found.high;
  }
  stopwatch_stop(watch);

  report("segtree", answers, n * sizeof(long));
  free(values);
  free(nodes);
  free(answers);
  return 0;
}
