//===- wild-plain-recursion.c - Recursive calls beside spawns -----*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// "Plain recursive calls beside spawns": before the spawn, after it, in its
// arguments, and in the condition of a loop.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>

static long call_second(int n) {
  if (n < 2)
    return n;
  long x = cilk_spawn call_second(n - 1);
  long y = call_second(n - 2);
  cilk_sync;
  return x + y;
}

static long call_first(int n) {
  if (n < 2)
    return n;
  long y = call_first(n - 2);
  long x = cilk_spawn call_first(n - 1);
  cilk_sync;
  return x + y;
}

static int takeuchi(int x, int y, int z) {
  if (x <= y)
    return y;
  int a, b, c;
  a = cilk_spawn takeuchi(x - 1, y, z);
  b = cilk_spawn takeuchi(y - 1, z, x);
  c = takeuchi(z - 1, x, y);
  cilk_sync;
  return takeuchi(a, b, c);
}

/* The call in the argument returns before the spawn. */
static int nested(int n) {
  if (n <= 0)
    return 1;
  int x = cilk_spawn nested(nested(n - 1) > 0 ? n - 2 : 0);
  cilk_sync;
  return x + 1;
}

static int halvings(int n) {
  if (n < 2)
    return 0;
  int sum = 0;
  int i = 0;
  while (i < 2 + (halvings(n / 2) > 100)) {
    sum += cilk_spawn halvings(n / 2);
    ++i;
  }
  cilk_sync;
  return sum + 1;
}

int main(void) {
  CHECK_EQUAL(call_second(17), 1597);
  CHECK_EQUAL(call_first(17), 1597);
  CHECK_EQUAL(takeuchi(8, 5, 2), 8);
  CHECK_EQUAL(nested(12), 7);
  CHECK_EQUAL(halvings(64), 63);
  printf("fib %ld, tak %d\n", call_first(16), takeuchi(7, 4, 1));
  return 0;
}
