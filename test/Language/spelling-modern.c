//===- spelling-modern.c - cilk_spawn and cilk_sync ---------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The modern words without any include, their reserved spelling, macros around
// them, and __cilk.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"

#define FORK cilk_spawn
#define JOIN cilk_sync
#define FORK_CALL(f, ...) cilk_spawn f(__VA_ARGS__)

static long fib(int n) {
  if (n < 2)
    return n;
  long x = _Cilk_spawn fib(n - 1);
  long y = cilk_spawn fib(n - 2);
  _Cilk_sync;
  return x + y;
}

static long by_macros(int n) {
  long a, b, c = 0;
  a = FORK fib(n);
  b = FORK_CALL(fib, n + 1);
  FORK_CALL(fib, c);
  JOIN;
  return a + b;
}

int main(void) {
  CHECK_EQUAL(fib(15), 610);
  CHECK_EQUAL(by_macros(10), 55 + 89);
#if defined(__cilk) && __cilk != 300
#error "__cilk is the language's version"
#endif
  printf("%ld\n", by_macros(11));
  return 0;
}
