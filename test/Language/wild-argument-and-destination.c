//===- wild-argument-and-destination.c - a = spawn f(a) -----------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// "The same variable as argument and destination": the argument is the value
// before the spawn, whatever type and whatever kind of variable.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>

struct pair {
  long a, b;
};
struct wide {
  int v[9];
};

static int collatz(int n) {
  if (n == 1)
    return 0;
  int next = n % 2 ? 3 * n + 1 : n / 2;
  next = cilk_spawn collatz(next);
  cilk_sync;
  return next + 1;
}

static struct pair swap(struct pair p) { return (struct pair){p.b, p.a}; }

static struct wide rotate(struct wide w) {
  int first = w.v[0];
  for (int i = 0; i < 8; ++i)
    w.v[i] = w.v[i + 1];
  w.v[8] = first;
  return w;
}

static int twice(int n) { return 2 * n; }

static long chain(void) {
  int a = 3;
  struct pair p = {1, 2};
  struct wide w = {{0, 1, 2, 3, 4, 5, 6, 7, 8}};
  int each[4] = {1, 2, 3, 4};
  for (int phase = 0; phase < 5; ++phase) {
    a = cilk_spawn twice(a);
    p = cilk_spawn swap(p);
    w = cilk_spawn rotate(w);
    for (int i = 0; i < 4; ++i)
      each[i] = cilk_spawn twice(each[i]);
    cilk_sync;
  }
  CHECK_EQUAL(a, 96);
  CHECK_EQUAL(p.a, 2);
  CHECK_EQUAL(p.b, 1);
  for (int i = 0; i < 9; ++i)
    CHECK_EQUAL(w.v[i], (i + 5) % 9);
  for (int i = 0; i < 4; ++i)
    CHECK_EQUAL(each[i], 32 * (i + 1));
  return a + p.a + w.v[0] + each[3];
}

/* A parameter is both as well. */
static int parameter(int n) {
  if (n == 0)
    return 0;
  int rest = n - 1;
  n = cilk_spawn parameter(rest);
  rest = cilk_spawn parameter(rest);
  cilk_sync;
  CHECK_EQUAL(n, rest);
  return n + 1;
}

int main(void) {
  CHECK_EQUAL(collatz(27), 111);
  CHECK_EQUAL(chain(), 96 + 2 + 5 + 128);
  CHECK_EQUAL(parameter(9), 9);
  printf("collatz %d, chain %ld\n", collatz(97), chain());
  return 0;
}
