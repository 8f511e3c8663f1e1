//===- call-indirect.c - Calls through pointers -------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plain calls of spawning functions through pointers: from tables, from struct
// members, as parameters, in recursion, and mixed with ordinary functions
// behind the same pointer type.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>

typedef long (*function)(long);

struct operation {
  const char *name;
  function apply;
};

static long ordinary(long n) { return n + 100; }

static long fib(long n) {
  if (n < 2)
    return n;
  long x = cilk_spawn fib(n - 1), y = cilk_spawn fib(n - 2);
  cilk_sync;
  return x + y;
}

static long through(long n);

static const struct operation operations[] = {
    {"ordinary", ordinary}, {"fib", fib}, {"through", through}};

/* Recursion that the compiler cannot see as such. */
static long through(long n) {
  if (n <= 0)
    return 1;
  long a = cilk_spawn fib(n % 10);
  long b = operations[n % 3].apply(n % 3 == 2 ? n - 2 : n % 12);
  cilk_sync;
  return a + b;
}

static long through_serially(long n) {
  static const long fibs[] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89};
  if (n <= 0)
    return 1;
  long b = n % 3 == 0   ? n % 12 + 100
           : n % 3 == 1 ? fibs[n % 12]
                        : through_serially(n - 2);
  return fibs[n % 10] + b;
}

static long map(function f, long *values, int count) {
  long parts[2] = {0, 0};
  if (count == 1)
    return values[0] = f(values[0]);
  parts[0] = cilk_spawn map(f, values, count / 2);
  parts[1] = map(f, values + count / 2, count - count / 2);
  cilk_sync;
  return parts[0] + parts[1];
}

int main(void) {
  for (long n = 0; n < 40; ++n)
    CHECK_EQUAL(through(n), through_serially(n));
  long values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  CHECK_EQUAL(map(fib, values, 8), 1 + 1 + 2 + 3 + 5 + 8 + 13 + 21);
  CHECK_EQUAL(map(ordinary, values, 8), 54 + 800);
  CHECK_EQUAL(values[7], 121);
  printf("%ld\n", through(38));
  return 0;
}
