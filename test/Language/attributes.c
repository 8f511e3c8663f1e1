//===- attributes.c - Attributes of spawning functions ------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Weak and aliased spawning functions, constructors and destructors that spawn,
// always_inline and noinline children, noreturn calls on paths not taken, and
// cleanup functions, which run after the function's children are done.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>

static int prepared, cleaned;

__attribute__((noinline)) static int far(int n) { return n + 1; }
__attribute__((always_inline)) static inline int near(int n) { return n + 2; }
__attribute__((const)) static int pure(int n) { return n + 3; }

__attribute__((weak)) int weak_sum(int n) {
  if (n == 0)
    return 0;
  int a = cilk_spawn weak_sum(n - 1);
  cilk_sync;
  return a + n;
}

int other_name(int n) __attribute__((alias("weak_sum")));

__attribute__((constructor)) static void prepare(void) {
  int a = cilk_spawn far(1), b = cilk_spawn weak_sum(4);
  cilk_sync;
  prepared = a + b;
}

__attribute__((destructor)) static void leave(void) {
  int a = cilk_spawn weak_sum(prepared);
  cilk_sync;
  printf("left with %d\n", a);
}

static void clean(int *p) { cleaned += *p; }
static void put(int *p, int value) { *p = value; }

static int scoped(int n) {
  __attribute__((cleanup(clean))) int mine = 0;
  cilk_spawn put(&mine, n);
  if (n > 2)
    return 1;
  cilk_sync;
  return mine;
}

static int mixed(int n) {
  int a = cilk_spawn near(n), b = cilk_spawn far(n), c = cilk_spawn pure(n);
  cilk_sync;
  if (a + b + c != 3 * n + 6)
    abort();
  return a;
}

int main(void) {
  CHECK_EQUAL(prepared, 12);
  CHECK_EQUAL(other_name(10), 55);
  int (*by_alias)(int) = other_name;
  int x = cilk_spawn by_alias(11);
  cilk_sync;
  CHECK_EQUAL(x, 66);
  CHECK_EQUAL(scoped(2), 2);
  CHECK_EQUAL(scoped(5), 1);
  CHECK_EQUAL(cleaned, 7);
  printf("%d\n", mixed(5));
  return 0;
}
