//===- spawn-argument.c - Spawned arguments -----------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `g(cilk_spawn f(x), y)` spawns both calls, as in OpenCilk: the child calls f
// and then g.  The parent evaluates x and y, and the address of what is
// assigned.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>
#include <stdatomic.h>

static int fib(int n) {
  if (n < 2)
    return n;
  int x = cilk_spawn fib(n - 1);
  int y = fib(n - 2);
  cilk_sync;
  return x + y;
}

static void store(long *place, long value) { *place = value; }
static int add(int a, int b) { return a + b; }
static double halve(double a) { return a / 2; }
struct pair {
  int first;
  char text[40];
};
static struct pair make(int n) {
  struct pair made = {n, "made"};
  return made;
}
static int take(struct pair pair, int k) { return pair.first * k; }

static int selected(int (*operation)(int, int), int n) {
  int x[4], i = 0;
  x[i++] = operation(cilk_spawn fib(n), 0);
  x[i++] = add(1, add(n, cilk_spawn fib(n + 1)));
  x[i++] = add((int)halve(cilk_spawn fib(n)), 100);
  x[i] = take(cilk_spawn make(n + i), i);
  n = 0;
  i = 0;
  operation = 0;
  cilk_sync;
  return x[0] + 1000 * x[1] + 1000000 * (x[2] % 10) + x[3] + n + i;
}

static int returned(int n) { return add(n, (cilk_spawn fib(n))); }

static int declared(int n) {
  int x = add(cilk_spawn fib(n), 1), y = n > 3 ? add(2, cilk_spawn fib(n)) : 7;
  long z = 0;
  z += (char)add(cilk_spawn fib(n), 256);
  store(&z, cilk_spawn fib(3));
  cilk_sync;
  return x * 100 + y + (z == fib(3) || z == fib(3) + fib(n));
}

static int many(int n) {
  _Atomic int counter = 0;
  long places[30];
  for (int i = 0; i < n; i++) {
    store(&places[i], cilk_spawn fib(i % 10));
    atomic_fetch_add(&counter, cilk_spawn fib(i % 10));
    // The result of the builtin is another spawn's.
    (void)__builtin_abs(_Generic(i, int: cilk_spawn fib(1), long: 0));
  }
  cilk_sync;
  long sum = 0;
  for (int i = 0; i < n; i++)
    sum += places[i];
  CHECK_EQUAL(sum, counter);
  return sum;
}

/// In loops and blocks.
static int nested(int n) {
  int sum = 0, other = 0, result = 0, cells[50];
  cilk_for (int i = 0; i < n; i++) {
    cilk_spawn __sync_fetch_and_add(&sum, i);
    cells[i] = add(cilk_spawn fib(i % 5), i);
  }
  cilk_spawn {
    int k = add(1, cilk_spawn fib(4));
    cilk_scope cilk_spawn __atomic_fetch_add(&other, 7, __ATOMIC_RELAXED);
    cilk_sync;
    __atomic_fetch_add(&other, k, __ATOMIC_RELAXED);
  }
  cilk_sync;
  for (int i = 0; i < n; i++)
    result += cells[i];
  CHECK_EQUAL(sum, n * (n - 1) / 2);
  CHECK_EQUAL(other, 7 + 1 + 3);
  return result;
}

int main(void) {
  CHECK_EQUAL(selected(add, 10), 7000000 + 1000 * 100 + 55 + 39);
  CHECK_EQUAL(returned(8), 29);
  CHECK_EQUAL(declared(5), 607 + 1);
  CHECK_EQUAL(declared(2), 207 + 1);
  CHECK_EQUAL(nested(50), 10 * (0 + 1 + 1 + 2 + 3) + 50 * 49 / 2);
  printf("%d\n", many(30));
  return 0;
}
