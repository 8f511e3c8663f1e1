//===- spawn-block.c - cilk_spawn { block } -----------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A spawned block sees its parent's locals by reference, and may loop and call
// spawning functions.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>

static long fib(int n) {
  long x = 0, y = 0;
  if (n < 2)
    return n;
  cilk_spawn { x = fib(n - 1); }
  y = fib(n - 2);
  cilk_sync;
  return x + y;
}

static long mixed(int n) {
  long cells[10], sum = 0, *p = &cells[4];
  for (int i = 0; i < 4; ++i)
    cells[i] = i;
  cilk_spawn {
    for (int k = 4; k < 10; ++k)
      p[k - 4] = fib(k) * n;
  }
  cilk_spawn {
    for (int i = 0; i < 4; ++i)
      sum += cells[i];
  }
  cilk_sync;
  for (int i = 4; i < 10; ++i)
    sum += cells[i];
  return sum;
}

int main(void) {
  CHECK_EQUAL(fib(15), 610);
  CHECK_EQUAL(mixed(2), 6 + 2 * (3 + 5 + 8 + 13 + 21 + 34));
  printf("%ld\n", fib(16));
  return 0;
}
