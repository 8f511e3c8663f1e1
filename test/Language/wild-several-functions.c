//===- wild-several-functions.c - Recursion through functions -----*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// "Recursion through several functions": a parser and evaluator of expressions
// whose tasks go through three spawning functions and one that only calls.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>

typedef struct tree {
  char kind; /* n, +, * or - */
  long value;
  struct tree *left, *right;
} tree;

static long evaluate(const tree *t);

static long sum(const tree *t) {
  long a = cilk_spawn evaluate(t->left);
  long b = cilk_spawn evaluate(t->right);
  cilk_sync;
  return (a + b) % 10007;
}

static long product(const tree *t) {
  long a = cilk_spawn evaluate(t->left);
  long b = evaluate(t->right);
  cilk_sync;
  return a * b % 10007;
}

static long negation(const tree *t) {
  return (10007 - evaluate(t->left)) % 10007;
}

static long evaluate(const tree *t) {
  long result = t->value;
  switch (t->kind) {
  case '+':
    result = cilk_spawn sum(t);
    break;
  case '*':
    result = product(t);
    break;
  case '-':
    result = negation(t);
    break;
  }
  cilk_sync;
  return result;
}

static long evaluate_serially(const tree *t) {
  switch (t->kind) {
  case '+':
    return (evaluate_serially(t->left) + evaluate_serially(t->right)) % 10007;
  case '*':
    return evaluate_serially(t->left) * evaluate_serially(t->right) % 10007;
  case '-':
    return (10007 - evaluate_serially(t->left)) % 10007;
  }
  return t->value;
}

static tree *grow(uint64_t name, int depth) {
  tree *t = calloc(1, sizeof *t);
  name = scramble(name);
  t->kind = depth ? "+*-+*"[name % 5] : 'n';
  t->value = (long)(name % 97);
  if (depth)
    t->left = grow(name, depth - 1);
  if (t->kind == '+' || t->kind == '*')
    t->right = grow(name + 1, depth - 1);
  return t;
}

static void cut(tree *t) {
  if (t) {
    cut(t->left);
    cut(t->right);
    free(t);
  }
}

int main(void) {
  for (int seed = 0; seed < 10; ++seed) {
    tree *t = grow(seed, 9);
    long value = evaluate(t);
    CHECK_EQUAL(value, evaluate_serially(t));
    cut(t);
    printf("%ld%c", value, seed < 9 ? ' ' : '\n');
  }
  return 0;
}
