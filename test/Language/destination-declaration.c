//===- destination-declaration.c - T x = spawn f(), y = ... -------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declarations with spawned initialisers: several declarators, with ordinary
// ones between, const and volatile, pointers, in nested blocks and in loops.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>

static int values[4] = {10, 20, 30, 40};

static long tribonacci(int n) {
  if (n < 3)
    return n == 2;
  long x = cilk_spawn tribonacci(n - 1), y = cilk_spawn tribonacci(n - 2),
       z = tribonacci(n - 3);
  cilk_sync;
  return x + y + z;
}

static int *element(int i) { return &values[i]; }

static int several(int n) {
  int plain = n + 1, first = cilk_spawn tribonacci(n),
      *p = cilk_spawn element(2), between = plain * 2,
      *q = cilk_spawn element(3);
  const long fixed = cilk_spawn tribonacci(between);
  volatile int loose = cilk_spawn tribonacci(5);
  cilk_sync;
  {
    int first = cilk_spawn tribonacci(4);
    cilk_sync;
    CHECK_EQUAL(first, 2);
  }
  CHECK_EQUAL(loose, 4);
  CHECK_EQUAL(fixed, tribonacci(2 * n + 2));
  return first + *p + *q;
}

static int in_loop(int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    int one = cilk_spawn tribonacci(i);
    cilk_sync;
    sum += one;
  }
  return sum;
}

int main(void) {
  CHECK_EQUAL(several(6), 7 + 70);
  CHECK_EQUAL(in_loop(9), 0 + 0 + 1 + 1 + 2 + 4 + 7 + 13 + 24);
  printf("%ld\n", tribonacci(15));
  return 0;
}
