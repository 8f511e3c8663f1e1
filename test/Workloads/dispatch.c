//===- dispatch.c - Recursion through pointers to functions -------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The value of an expression, whose nodes know themselves how to find theirs,
// and the number of words that a grammar derives, whose rules are a table. Whom
// a spawn calls is known when it runs.  Checked against what one function
// computes that tells the kinds apart.
//
//===----------------------------------------------------------------------===//
// BENCH-ARGS: 22 24

#include "../Support/check.h"
#include "../Support/stopwatch.h"
#include <cilk/cilk.h>

//===----------------------------------------------------------------------===//
// Nodes with methods
//===----------------------------------------------------------------------===//

typedef struct node node;
struct node {
  unsigned (*value)(const node *self);
  const node *left, *right;
  unsigned number;
};

static unsigned valueOfNumber(const node *self) { return self->number; }

static unsigned valueOfSum(const node *self) {
  unsigned left = cilk_spawn self->left->value(self->left);
  unsigned right = self->right->value(self->right);
  cilk_sync;
  return left + right;
}

static unsigned valueOfProduct(const node *self) {
  unsigned left = cilk_spawn self->left->value(self->left);
  unsigned right = self->right->value(self->right);
  cilk_sync;
  return left * right + self->number;
}

static unsigned valueOfChoice(const node *self) {
  unsigned which = cilk_spawn self->left->value(self->left);
  cilk_sync;
  return which % 2 ? self->right->value(self->right) : which;
}

/// An expression of height `height` at `*next` and behind it, of which the last
/// node taken is the root.
static const node *grow(node **next, int height, uint64_t seed) {
  static unsigned (*const methods[])(const node *) = {
      valueOfSum, valueOfProduct, valueOfChoice, valueOfSum};
  uint64_t random = scramble(seed);
  const node *left = NULL, *right = NULL;
  if (height > 0 && random % 16 != 0) {
    left = grow(next, height - 1, 2 * seed);
    right = grow(next, height - 1, 2 * seed + 1);
  }
  node *root = (*next)++;
  root->value = left ? methods[random / 16 % 4] : valueOfNumber;
  root->left = left;
  root->right = right;
  root->number = (unsigned)(random >> 32);
  return root;
}

static unsigned expected(const node *self) {
  if (self->value == valueOfNumber)
    return self->number;
  unsigned left = expected(self->left);
  if (self->value == valueOfChoice)
    return left % 2 ? expected(self->right) : left;
  unsigned right = expected(self->right);
  return self->value == valueOfSum ? left + right : left * right + self->number;
}

//===----------------------------------------------------------------------===//
// A table of rules
//===----------------------------------------------------------------------===//

typedef long rule(int symbol, int depth);

static long terminal(int symbol, int depth);
static long pair(int symbol, int depth);
static long either(int symbol, int depth);

static rule *const rules[] = {terminal, pair, either, pair, either};
enum { ruleCount = sizeof(rules) / sizeof(rules[0]) };

/// The symbols that one is rewritten to.
static int part(int symbol, int i) { return (3 * symbol + i) % 1000000; }
/// By which rule.
static int kindOf(int symbol) { return (int)(scramble(symbol) % ruleCount); }

static long terminal(int symbol, int depth) { return symbol + depth > 0; }

static long pair(int symbol, int depth) {
  if (depth == 0)
    return 1;
  int one = part(symbol, 0), two = part(symbol, 1);
  long left = cilk_spawn rules[kindOf(one)](one, depth - 1);
  long right = rules[kindOf(two)](two, depth - 1);
  cilk_sync;
  return left * right % 1000003;
}

static long either(int symbol, int depth) {
  if (depth == 0)
    return 2;
  long words[3];
  for (int i = 0; i < 3; ++i) {
    int next = part(symbol, i);
    words[i] = cilk_spawn rules[kindOf(next)](next, depth - 1);
  }
  cilk_sync;
  return words[0] + words[1] + words[2];
}

static long derive(int symbol, int depth) {
  int kind = kindOf(symbol);
  if (rules[kind] == terminal)
    return terminal(symbol, depth);
  if (rules[kind] == pair)
    return depth == 0 ? 1
                      : derive(part(symbol, 0), depth - 1) *
                            derive(part(symbol, 1), depth - 1) % 1000003;
  long sum = depth == 0 ? 2 : 0;
  for (int i = 0; depth && i < 3; ++i)
    sum += derive(part(symbol, i), depth - 1);
  return sum;
}

int main(int argc, char **argv) {
  int height = (int)argument(argc, argv, 1, 14);
  int depth = (int)argument(argc, argv, 2, 10);
  node *nodes = malloc(((size_t)2 << height) * sizeof(node)), *next = nodes;
  const node *root = grow(&next, height, 1);
  stopwatch watch = stopwatch_start();
  unsigned value = root->value(root);
  long words = rules[kindOf(1)](1, depth);
  stopwatch_stop(watch);
  printf("%u %ld\n", value, words);
  CHECK_EQUAL(value, expected(root));
  CHECK_EQUAL(words, derive(1, depth));
  free(nodes);
  return 0;
}
