//===- wild-no-sync.c - No sync before the return -----------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// "No sync at all before `return x + y`": the implicit sync comes before the
// expression is evaluated.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>

static long fib(int n) {
  long x, y;
  if (n < 2)
    return n;
  x = cilk_spawn fib(n - 1);
  y = cilk_spawn fib(n - 2);
  return x + y;
}

static void fill(int *values, int first, int last) {
  if (last - first == 1) {
    values[first] = first * first;
    return;
  }
  cilk_spawn fill(values, first, (first + last) / 2);
  cilk_spawn fill(values, (first + last) / 2, last);
}

static int last_of(int count) {
  int values[64];
  cilk_spawn fill(values, 0, count);
  return values[count - 1] + values[0];
}

int main(void) {
  CHECK_EQUAL(fib(18), 2584);
  CHECK_EQUAL(last_of(64), 63 * 63);
  printf("fib(18) = %ld, %d\n", fib(18), last_of(60));
  return 0;
}
