//===- spawn-selected.c - Spawns selected at compile time ---------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A spawn in the selected arm of a _Generic or __builtin_choose_expr; what the
// other arms hold does not exist.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>

static int calls;

static long twice(long n) { return 2 * n; }
static double half(double n) { return n / 2; }
static void count(int *n) { ++*n; }
static long wrong(long n) {
  calls++;
  return n;
}

#define OF(x)                                                                  \
  _Generic((x), long: cilk_spawn twice(x), double: cilk_spawn half(x))

static int kinds(long n, double d) {
  long first = OF(n);
  double second;
  second = (OF(d));
  int third = (int)OF(n);
  long fourth = 5;
  fourth += OF(n);
  cilk_sync;
  return first == 2 * n && second == d / 2 && third == 2 * n &&
         fourth == 5 + 2 * n;
}

static int discarded(void) {
  int first = 0, second = 0, third = 0;
  _Generic(first, int: cilk_spawn count(&first), default: wrong(1));
  (void)__builtin_choose_expr(1, cilk_spawn count(&second),
                              cilk_spawn wrong(2));
  cilk_spawn _Generic(third, int: count(&third), default: wrong(3));
  cilk_sync;
  return first == 1 && second == 1 && third == 1;
}

static long chosen(long n) {
  long x = __builtin_choose_expr(0, cilk_spawn wrong(n), cilk_spawn twice(n));
  long y = __builtin_choose_expr(sizeof(int) == 4,
                                 _Generic(n, long: cilk_spawn twice(n + 1)),
                                 cilk_spawn wrong(n));
  cilk_sync;
  return x + y;
}

/// Only the arms that are left out spawn.
static int leftOut(int n) {
  int x = _Generic(n, int: n, default: cilk_spawn wrong(n));
  return x + __builtin_choose_expr(1, n, ({
                                     cilk_spawn { calls++; }
                                     cilk_sync;
                                     n;
                                   }));
}

int main(void) {
  CHECK(kinds(21, 5.0));
  CHECK(discarded());
  CHECK(chosen(4) == 18);
  CHECK(leftOut(3) == 6);
  CHECK(calls == 0);
  return 0;
}
