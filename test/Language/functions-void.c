//===- functions-void.c - Functions without result or parameter ---*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Void functions, functions without parameters, inline and static inline ones,
// and returns of void expressions.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>

static int left[64], right[64], ones;

static inline void walk_left(int n) {
  if (n >= 64)
    return;
  left[n]++;
  cilk_spawn walk_left(2 * n + 1);
}

static void walk_right(int n) {
  if (n < 64) {
    right[n]++;
    cilk_spawn walk_right(2 * n + 1);
    cilk_spawn walk_right(2 * n + 2);
    return;
  }
}

static void no_parameters(void) {
  cilk_spawn walk_left(0);
  return walk_right(0);
}

static int one(void) { return 1; }

static int count(void) {
  int a = cilk_spawn one(), b = cilk_spawn one();
  cilk_sync;
  return a + b;
}

void defined_later(int *p);
static void first(int *p) {
  cilk_spawn defined_later(p);
  cilk_spawn defined_later(p + 1);
}
void defined_later(int *p) { *p = count(); }

int main(void) {
  no_parameters();
  for (int i = 0; i < 64; ++i) {
    CHECK_EQUAL(left[i], (i & (i + 1)) == 0);
    CHECK_EQUAL(right[i], 1);
    ones += left[i];
  }
  int two[2];
  first(two);
  CHECK_EQUAL(two[0] + two[1], 4);
  printf("%d\n", ones);
  return 0;
}
