//===- wild-conditional-spawn.c - Conditional spawns --------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// "Conditional spawns": if and else without braces, spawn or call by need,
// `c ? spawn f() : 0`, and behind && by an if.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>

static long leaves(int n) {
  long left = 0, right = 0;
  if (n <= 1)
    return 1;
  if (n % 3)
    left = cilk_spawn leaves(n - 2);
  else
    left = leaves(n - 1);
  if (n > 4 && n % 5)
    right = cilk_spawn leaves(n / 2);
  cilk_sync;
  return left + right;
}

static long leaves_serially(int n) {
  if (n <= 1)
    return 1;
  return leaves_serially(n % 3 ? n - 2 : n - 1) +
         (n > 4 && n % 5 ? leaves_serially(n / 2) : 0);
}

static int ruler(int n) {
  n % 2 ? cilk_spawn ruler(n / 2) : 0;
  int below = 0;
  if (n)
    below = cilk_spawn ruler(n / 2);
  cilk_sync;
  return n ? below + 1 : 0;
}

static int visits[32];
static void visit(int n) { visits[n] = 1; }

static void visit_even(int n) {
  for (int i = 0; i < n; ++i)
    i % 2 == 0 ? cilk_spawn visit(i) : (void)0;
}

int main(void) {
  for (int n = 0; n < 60; ++n)
    CHECK_EQUAL(leaves(n), leaves_serially(n));
  CHECK_EQUAL(ruler(1000), 10);
  visit_even(32);
  for (int i = 0; i < 32; ++i)
    CHECK_EQUAL(visits[i], i % 2 == 0);
  printf("%ld leaves\n", leaves(60));
  return 0;
}
