//===- treesearch.c - Search of an unbalanced tree ----------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The number of a node's children and their names follow from a hash of its own
// name, so that the tree exists nowhere and nobody can tell in advance how
// large a subtree is. Spawns in a loop whose length only the child knows.
// Checked against a walk with an explicit stack.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// BENCH-ARGS: 300000

#include "../Support/check.h"
#include "../Support/stopwatch.h"
#include <cilk/cilk.h>

enum { RootChildren = 400, MaxChildren = 6 };

typedef struct {
  long nodes, leaves, depth;
} census;

/* One node in six has children, so the average stays just below one. */
static int child_count(uint64_t name) {
  return name % 1024 < 164 ? MaxChildren : 0;
}

static uint64_t child_name(uint64_t name, int index) {
  return scramble(name ^ (uint64_t)(index + 1) * 0x9d2f);
}

static void add(census *sum, census part) {
  sum->nodes += part.nodes;
  sum->leaves += part.leaves;
  if (part.depth > sum->depth)
    sum->depth = part.depth;
}

static census search(uint64_t name, int children, long depth) {
  census sum = {1, children == 0, depth};
  if (children == 0)
    return sum;
  census part[MaxChildren];
  for (int i = 0; i < children; ++i) {
    uint64_t child = child_name(name, i);
    part[i] = cilk_spawn search(child, child_count(child), depth + 1);
  }
  cilk_sync;
  for (int i = 0; i < children; ++i)
    add(&sum, part[i]);
  return sum;
}

static census search_all(uint64_t seed, int children) {
  census *part = malloc(children * sizeof *part), sum = {1, 0, 0};
  for (int i = 0; i < children; ++i) {
    uint64_t child = child_name(seed, i);
    part[i] = cilk_spawn search(child, child_count(child), 1);
  }
  cilk_sync;
  for (int i = 0; i < children; ++i)
    add(&sum, part[i]);
  free(part);
  return sum;
}

static census walk(uint64_t seed, int children) {
  struct entry {
    uint64_t name;
    long depth;
  } *stack = NULL;
  long top = 0, capacity = 0;
  census sum = {1, 0, 0};
  uint64_t name = seed;
  long depth = 0;
  for (;;) {
    for (int i = 0; i < children; ++i) {
      if (top == capacity) {
        capacity = capacity * 2 + 64;
        stack = realloc(stack, capacity * sizeof *stack);
        CHECK(stack);
      }
      stack[top++] = (struct entry){child_name(name, i), depth + 1};
    }
    if (top == 0)
      break;
    name = stack[--top].name;
    depth = stack[top].depth;
    children = child_count(name);
    add(&sum, (census){1, children == 0, depth});
  }
  free(stack);
  return sum;
}

int main(int argc, char **argv) {
  int children = (int)argument(argc, argv, 1, RootChildren);
  uint64_t seed = (uint64_t)argument(argc, argv, 2, 7);
  stopwatch watch = stopwatch_start();
  census found = search_all(seed, children);
  stopwatch_stop(watch);
  census expected = walk(seed, children);
  CHECK_EQUAL(found.nodes, expected.nodes);
  CHECK_EQUAL(found.leaves, expected.leaves);
  CHECK_EQUAL(found.depth, expected.depth);
  printf("tree: %ld nodes, %ld leaves, depth %ld\n", found.nodes, found.leaves,
         found.depth);
  return 0;
}
