//===- bstcheck.c - Checks a binary search tree -------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds a binary search tree of random keys, with a node for each from malloc,
// and checks it: the order of the keys, the height, the sum, and how unbalanced
// it is at worst. The argument is the number of keys.
//
// grain: fine
//
//===----------------------------------------------------------------------===//

#include "../loops/loops.h"
#include <stdbool.h>

typedef struct Node Node;
struct Node {
  uint32_t key;
  Node *left, *right;
};

typedef struct {
  bool ordered;
  int height;
  int tilt; // the largest difference of heights
  uint32_t least, greatest;
  uint64_t sum;
} Summary;

static Node *insert(Node *root, uint32_t key) {
  Node **place = &root;
  while (*place)
    place = key < (*place)->key ? &(*place)->left : &(*place)->right;
  *place = malloc(sizeof(Node));
  CHECK(*place);
  **place = (Node){key, NULL, NULL};
  return root;
}

static void destroy(Node *node) {
  if (!node)
    return;
  destroy(node->left);
  destroy(node->right);
  free(node);
}

static Summary combine(uint32_t key, Summary a, Summary b) {
  Summary s;
  int tilt = abs(a.height - b.height);
  s.ordered = a.ordered && b.ordered;
  if (a.height > 0 && a.greatest >= key)
    s.ordered = false;
  if (b.height > 0 && b.least < key)
    s.ordered = false;
  s.height = 1 + (a.height > b.height ? a.height : b.height);
  s.tilt = a.tilt > b.tilt ? a.tilt : b.tilt;
  if (tilt > s.tilt)
    s.tilt = tilt;
  s.least = a.height > 0 ? a.least : key;
  s.greatest = b.height > 0 ? b.greatest : key;
  s.sum = a.sum + b.sum + key;
  return s;
}

static Summary summarize(const Node *node) {
  if (!node) {
    Summary none = {.ordered = true};
    return none;
  }
  Summary left = cilk_spawn summarize(node->left);
  Summary right = summarize(node->right);
  cilk_sync;
  return combine(node->key, left, right);
}

int main(int argc, char **argv) {
  long n = first_argument(argc, argv, 200000, 100);
  Node *root = NULL;
  for (long i = 0; i < n; i++)
    root = insert(root, (uint32_t)scramble(i));

  stopwatch watch = stopwatch_start();
  Summary s;
  uint64_t sums = 0;
  for (int turn = 0; turn < 40; turn++) {
    s = summarize(root);
    sums += s.sum;
  }
  stopwatch_stop(watch);

  printf("%s, height %d, tilt %d, keys %u to %u, sums %llu\n",
         s.ordered ? "ordered" : "not ordered", s.height, s.tilt, s.least,
         s.greatest, (unsigned long long)sums);
  destroy(root);
  return 0;
}
