//===- function-tables.c - Recursion through pointers -------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions that come to themselves and to others only through pointers: in
// nodes, in tables that change, from parallel loops, with structs as arguments
// and results; pointers to what spawns nothing among them; weak functions.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// VGIW-ARGS: 8

#include "../Support/check.h"
#include <cilk/cilk.h>
#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Nodes that know what they are
//===----------------------------------------------------------------------===//

struct node {
  unsigned (*op)(const struct node *, unsigned);
  struct node *kid[3];
  unsigned value;
};

static unsigned constant(const struct node *n, unsigned x) {
  return n->value ^ x;
}

static unsigned sum(const struct node *n, unsigned x) {
  unsigned r[3];
  for (int i = 0; i < 3; ++i)
    r[i] = cilk_spawn n->kid[i]->op(n->kid[i], x + i);
  cilk_sync;
  return r[0] + r[1] * 3 + r[2] * 5;
}

static unsigned choose(const struct node *n, unsigned x) {
  const struct node *kid = n->kid[x % 3];
  unsigned a = cilk_spawn kid->op(kid, x >> 1);
  unsigned b = n->kid[1]->op(n->kid[1], x);
  cilk_sync;
  return a ^ b << 1;
}

static unsigned product(const struct node *n, unsigned x) {
  unsigned p = 1;
  for (int i = 0; i < 3; ++i)
    p *= n->kid[i]->op(n->kid[i], x * (i + 1)) | 1;
  unsigned a = cilk_spawn n->kid[0]->op(n->kid[0], p);
  cilk_sync;
  return a - p;
}

static struct node *build(int depth, unsigned *seed) {
  struct node *n = calloc(1, sizeof *n);
  *seed = *seed * 1664525 + 1013904223;
  unsigned kind = *seed >> 28;
  n->value = *seed;
  n->op = depth == 0 || kind == 0 ? constant
          : kind < 6              ? sum
          : kind < 11             ? choose
                                  : product;
  for (int i = 0; i < 3 && n->op != constant; ++i)
    n->kid[i] = build(depth - 1, seed);
  return n;
}

static void drop(struct node *n) {
  for (int i = 0; i < 3 && n->kid[i]; ++i)
    drop(n->kid[i]);
  free(n);
}

/// The same by a switch.
static unsigned expected(const struct node *n, unsigned x) {
  unsigned r[3], p = 1;
  if (n->op == constant)
    return n->value ^ x;
  if (n->op == sum) {
    for (int i = 0; i < 3; ++i)
      r[i] = expected(n->kid[i], x + i);
    return r[0] + r[1] * 3 + r[2] * 5;
  }
  if (n->op == choose)
    return expected(n->kid[x % 3], x >> 1) ^ expected(n->kid[1], x) << 1;
  for (int i = 0; i < 3; ++i)
    p *= expected(n->kid[i], x * (i + 1)) | 1;
  return expected(n->kid[0], p) - p;
}

//===----------------------------------------------------------------------===//
// A table, and parallel loops
//===----------------------------------------------------------------------===//

struct pair {
  long a, b;
};
typedef struct pair (*maker)(int, struct pair);

static struct pair odd(int n, struct pair p);
static struct pair even(int n, struct pair p);
static maker table[2] = {even, odd};

static struct pair odd(int n, struct pair p) {
  if (n <= 0)
    return p;
  struct pair r[3];
  cilk_for (int i = 0; i < 3; ++i)
    r[i] = table[(n + i) & 1](n - 2 - i, (struct pair){p.a + i, p.b ^ i});
  return (struct pair){r[0].a + r[1].b, r[2].a - r[0].b};
}

static struct pair even(int n, struct pair p) {
  if (n <= 0)
    return (struct pair){p.b, p.a};
  struct pair x = cilk_spawn table[p.a & 1](n - 1, p);
  struct pair y = table[p.b & 1](n - 2, (struct pair){p.b, p.a});
  cilk_sync;
  return (struct pair){x.a * 3 + y.b, x.b - y.a};
}

static struct pair expected_pair(int which, int n, struct pair p) {
  if (n <= 0)
    return which ? p : (struct pair){p.b, p.a};
  if (which) {
    struct pair r[3];
    for (int i = 0; i < 3; ++i)
      r[i] = expected_pair((n + i) & 1, n - 2 - i,
                           (struct pair){p.a + i, p.b ^ i});
    return (struct pair){r[0].a + r[1].b, r[2].a - r[0].b};
  }
  struct pair x = expected_pair(p.a & 1, n - 1, p);
  struct pair y = expected_pair(p.b & 1, n - 2, (struct pair){p.b, p.a});
  return (struct pair){x.a * 3 + y.b, x.b - y.a};
}

//===----------------------------------------------------------------------===//
// Through what spawns nothing itself, and weak ones
//===----------------------------------------------------------------------===//

typedef long (*walker)(long, void *);

static long step(long n, walker then, void *of) {
  return n > 0 ? then(n, of) + 1 : 0;
}

static long walk(long n, void *of) {
  long a = cilk_spawn step(n / 2 - 1, walk, of);
  long b = step(n - 5, of, of);
  cilk_sync;
  return a + b;
}

static long expected_walk(long n) {
  return (n / 2 - 1 > 0 ? expected_walk(n / 2 - 1) + 1 : 0) +
         (n - 5 > 0 ? expected_walk(n - 5) + 1 : 0);
}

__attribute__((weak)) long fib(int n) {
  if (n < 2)
    return n;
  long x = cilk_spawn fib(n - 1);
  long y = fib(n - 2);
  cilk_sync;
  return x + y;
}

static long expected_fib(int n) {
  return n < 2 ? n : expected_fib(n - 1) + expected_fib(n - 2);
}

int main(int argc, char **argv) {
  int sizes = argc > 1 ? atoi(argv[1]) : 16;
  unsigned seed = 7;
  for (int depth = 0; depth < sizes && depth < 7; ++depth) {
    struct node *n = build(depth, &seed);
    for (unsigned x = 0; x < 4; ++x)
      CHECK(n->op(n, x) == expected(n, x));
    drop(n);
  }
  for (int n = 0; n < sizes; ++n) {
    struct pair p = {n, n * 7 + 1};
    for (int which = 0; which < 2; ++which) {
      struct pair got = table[which](n, p), want = expected_pair(which, n, p);
      CHECK(got.a == want.a && got.b == want.b);
    }
  }
  CHECK(walk(60, walk) == expected_walk(60));
  CHECK(fib(sizes + 4) == expected_fib(sizes + 4));
  long (*weak)(int) = fib;
  CHECK(weak(sizes) == expected_fib(sizes));
}
