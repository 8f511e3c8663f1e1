// Where malloc puts the program's objects does not depend on what the simulator
// allocates: names of any length, statistics, a trace.
// RUN: rm -rf %t && mkdir %t
// RUN: cilk2chan -O2 --target=vgiw %s -o %t/a
// RUN: cp %t/a %t/a-long-name-of-a-program-that-has-no-place-in-a-short-string
// RUN: env CHANSIM_STATS=%t/1 %t/a > %t/1.out
// RUN: env CHANSIM_STATS=%t/statistics-in-a-file-with-a-long-name-too-and-more-and-more \
// RUN:   CHANSIM_TRACE=%t/trace.json \
// RUN:   %t/a-long-name-of-a-program-that-has-no-place-in-a-short-string > %t/2.out
// RUN: diff %t/1.out %t/2.out
// RUN: %python %S/Inputs/statistics.py %t/1 | sed '/^host/d' > %t/1.txt
// RUN: %python %S/Inputs/statistics.py %t/statistics-in-a-file-with-a-long-name-too-and-more-and-more \
// RUN:   | sed '/^host/d' | diff %t/1.txt -
// RUN: FileCheck %s < %t/1.out
// CHECK: 5121

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Node {
  struct Node *left, *right;
  int value;
} Node;

static Node *leaf(int value) {
  Node *node = calloc(1, sizeof *node + value % 5 * 8);
  node->value = value;
  return node;
}

static void grow(Node *node, int depth) {
  if (!depth)
    return;
  node->left = leaf(2 * node->value);
  node->right = leaf(2 * node->value + 1);
  cilk_spawn grow(node->left, depth - 1);
  cilk_spawn grow(node->right, depth - 1);
  cilk_sync;
}

static long sum(const Node *node) {
  return node ? node->value % 97 + sum(node->left) + sum(node->right) : 0;
}

int main(void) {
  Node *root = leaf(1);
  grow(root, 6);
  printf("%ld\n", sum(root));
  // What a line is to malloc's objects is printed as well.
  unsigned lines = 0;
  for (Node *node = root; node; node = node->right)
    lines = 31 * lines + (uintptr_t)node % 4096 / 16;
  printf("%x\n", lines);
  return 0;
}
