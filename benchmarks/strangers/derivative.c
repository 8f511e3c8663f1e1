//===- derivative.c - Derives expressions -------------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Derives an expression again and again: it is a tree with a node from malloc
// for each operator, and each derivative is a new tree that shares nothing with
// the old one. Prints values of the last one and counts its nodes. The argument
// is the depth of the first expression.
//
// grain: fine
//
//===----------------------------------------------------------------------===//

#include "../loops/loops.h"

enum kind { CONSTANT, VARIABLE, PLUS, MINUS, TIMES };

typedef struct expr {
  enum kind kind;
  double value;
  struct expr *a, *b;
} expr;

static expr *make(enum kind kind, double value, expr *a, expr *b) {
  expr *e = malloc(sizeof(expr));
  CHECK(e);
  e->kind = kind;
  e->value = value;
  e->a = a;
  e->b = b;
  return e;
}

static expr *copy(const expr *e) {
  if (e->kind == CONSTANT || e->kind == VARIABLE)
    return make(e->kind, e->value, NULL, NULL);
  expr *a = cilk_spawn copy(e->a);
  expr *b = copy(e->b);
  cilk_sync;
  return make(e->kind, 0, a, b);
}

static expr *derive(const expr *e) {
  switch (e->kind) {
  case CONSTANT:
    return make(CONSTANT, 0, NULL, NULL);
  case VARIABLE:
    return make(CONSTANT, 1, NULL, NULL);
  case PLUS:
  case MINUS: {
    expr *da = cilk_spawn derive(e->a);
    expr *db = derive(e->b);
    cilk_sync;
    return make(e->kind, 0, da, db);
  }
  case TIMES: {
    expr *da = cilk_spawn derive(e->a);
    expr *b = cilk_spawn copy(e->b);
    expr *a = cilk_spawn copy(e->a);
    expr *db = derive(e->b);
    cilk_sync;
    return make(PLUS, 0, make(TIMES, 0, da, b), make(TIMES, 0, a, db));
  }
  }
  return NULL;
}

static double evaluate(const expr *e, double x) {
  if (e->kind == CONSTANT)
    return e->value;
  if (e->kind == VARIABLE)
    return x;
  double a = cilk_spawn evaluate(e->a, x);
  double b = cilk_spawn evaluate(e->b, x);
  cilk_sync;
  if (e->kind == PLUS)
    return a + b;
  return e->kind == MINUS ? a - b : a * b;
}

static void count(const expr *e, long *nodes) {
  long a = 0, b = 0;
  if (e->a)
    cilk_spawn count(e->a, &a);
  if (e->b)
    cilk_spawn count(e->b, &b);
  cilk_sync;
  *nodes = 1 + a + b;
}

static void destroy(expr *e) {
  if (e->a)
    cilk_spawn destroy(e->a);
  if (e->b)
    cilk_spawn destroy(e->b);
  cilk_sync;
  free(e);
}

static expr *random_expr(int depth, uint64_t seed) {
  seed = scramble(seed);
  if (depth == 0)
    return seed % 3 ? make(VARIABLE, 0, NULL, NULL)
                    : make(CONSTANT, (double)(seed % 7) / 2, NULL, NULL);
  enum kind kind = seed % 3 == 0 ? PLUS : seed % 3 == 1 ? MINUS : TIMES;
  return make(kind, 0, random_expr(depth - 1, 2 * seed),
              random_expr(depth - 1, 2 * seed + 1));
}

int main(int argc, char **argv) {
  int depth = (int)first_argument(argc, argv, 13, 3);
  expr *e = random_expr(depth, 1);

  stopwatch watch = stopwatch_start();
  for (int i = 0; i < 3; i++) {
    expr *next = derive(e);
    destroy(e);
    e = next;
  }
  long nodes;
  count(e, &nodes);
  double sum = 0;
  for (int i = 0; i < 10; i++)
    sum += evaluate(e, 0.01 * i);
  destroy(e);
  stopwatch_stop(watch);

  printf("%ld nodes, %.8g\n", nodes, sum);
  return 0;
}
