//===- spawn-pointer.c - Spawns through function pointers ---------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Spawns through pointers to spawning functions, to ordinary ones, and to the C
// library's: from variables, tables, struct members, parameters and calls.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// VGIW-SAMPLE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>
#include <string.h>

typedef long (*unary)(long);

struct class {
  unary op;
  struct {
    void (*store)(long *, long);
    struct class *super;
  } virtual;
};

struct triple {
  long a, b, c;
};

static long plain(long n) { return n * 10; }

static long fib(long n) {
  if (n < 2)
    return n;
  unary self = fib;
  long x = cilk_spawn self(n - 1);
  long y = cilk_spawn(*self)(n - 2);
  cilk_sync;
  return x + y;
}

static void store(long *to, long value) { *to = value; }
static void store_later(long *to, long value) {
  if (value % 2)
    cilk_spawn store_later(to, value - 1);
  else
    cilk_spawn store(to, value);
}

static struct triple make(long n) { return (struct triple){n, n + 1, n + 2}; }
static struct triple make_later(long n) {
  struct triple t = cilk_spawn make(n + 10);
  cilk_sync;
  return t;
}

static unary choose(int which) { return which ? fib : plain; }

static struct class base = {fib, {store_later, NULL}};
static struct class derived = {plain, {store, &base}};
static const unary table[] = {plain, fib, labs};

static long all(struct class *object, unary parameter) {
  long r[10];
  struct triple (*makes[2])(long) = {make, make_later};
  struct triple t[2];
  r[0] = cilk_spawn object->op(4);
  r[1] = cilk_spawn object->virtual.super->op(10);
  object->virtual.store(&r[2], 7);
  cilk_spawn object->virtual.store(&r[2], 8);
  cilk_spawn object->virtual.super->virtual.store(r + 3, 9);
  r[4] = cilk_spawn parameter(12);
  r[5] = cilk_spawn choose(0)(5);
  r[6] = cilk_spawn choose(1)(9);
  for (int i = 0; i < 3; ++i)
    r[7 + i] = cilk_spawn table[i](i == 2 ? -55 : 6);
  for (int i = 0; i < 2; ++i)
    t[i] = cilk_spawn makes[i](i);
  cilk_sync;
  static const long expected[] = {40, 55, 8, 8, 144, 50, 34, 60, 8, 55};
  long sum = 0;
  for (int i = 0; i < 10; ++i) {
    CHECK_EQUAL(r[i], expected[i]);
    sum += r[i];
  }
  CHECK_EQUAL(t[0].c, 2);
  CHECK_EQUAL(t[1].a, 11);
  return sum + t[1].c;
}

/* The pointer's value counts at the spawn, not later. */
static long changing(int n) {
  long sum = 0;
  unary f = plain;
  for (int i = 0; i < n; ++i) {
    sum += cilk_spawn f(i);
    f = f == plain ? fib : plain;
  }
  cilk_sync;
  return sum;
}

static int library(const char *text) {
  size_t (*measure)(const char *) = strlen;
  size_t a = cilk_spawn measure(text), b = cilk_spawn strlen(text + 1);
  int c = cilk_spawn atoi("42");
  cilk_sync;
  return (int)(a + b) + c;
}

int main(void) {
  long sum = all(&derived, fib);
  CHECK_EQUAL(changing(10), 200 + 1 + 2 + 5 + 13 + 34);
  CHECK_EQUAL(library("hello"), 5 + 4 + 42);
  printf("%ld\n", sum);
  return 0;
}
