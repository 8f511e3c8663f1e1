//===- results.c - Results, destinations, blocks, two files -------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Spawns whose results are of all kinds, compound assignments, spawned blocks,
// calls through pointers, static and thread-local variables, and
// results.more.c, which this file calls and which calls it.  Prints "ok".
//
//===----------------------------------------------------------------------===//

#include "results.h"
#include <stdio.h>

int calls_of_main_file(int n) {
  static int offset = 3;
  return n + offset;
}

static int whole(int n) { return n + 1; }
static unsigned natural(int n) { return (unsigned)n + 1; }
static double real(int n) { return n * 0.5; }
static long double wide(int n) { return n * 0.25L; }
static float narrow(float f, signed char c) { return f + (float)c; }
static int *next(int *p) { return p + 1; }
static struct pair pair_of(int n) {
  struct pair p;
  p.first = n;
  p.second = n * 2.0;
  p.tag = (char)(n % 100);
  return p;
}
static struct large large_of(int n, struct pair by) {
  struct large l;
  int i;
  for (i = 0; i < 8; i++)
    l.part[i] = n * i + by.first;
  return l;
}

static int results(int n) {
  int a, cells[3] = {0, 0, 0}, *at;
  double d;
  long double w;
  float f;
  struct pair p;
  struct large l;
  struct {
    unsigned low : 5, high : 11;
  } bits;
  a = cilk_spawn whole(n);
  d = cilk_spawn real(n);
  w = cilk_spawn wide(n);
  f = cilk_spawn narrow(1.5f, 2);
  at = cilk_spawn next(cells);
  p = cilk_spawn pair_of(n);
  bits.low = (unsigned)n & 7u;
  bits.high = cilk_spawn natural(n);
  cells[2] = cilk_spawn whole(7);
  cilk_sync;
  l = cilk_spawn large_of(n, p);
  cilk_sync;
  return a == n + 1 && d == n * 0.5 && w == n * 0.25L && f == 3.5f &&
         at == cells + 1 && p.first == n && p.second == n * 2.0 &&
         p.tag == n % 100 && l.part[7] == n * 8 &&
         bits.low == ((unsigned)n & 7u) && bits.high == (unsigned)n + 1 &&
         cells[2] == 8;
}

static int compound(int n) {
  int sum = 1, product = 1, set = 0, i;
  double total = 0;
  for (i = 1; i <= n; i++) {
    sum += cilk_spawn whole(i);
    if (i % 2)
      product *= cilk_spawn whole(1);
    set |= cilk_spawn whole(1 << i);
    total += cilk_spawn real(i);
  }
  cilk_sync;
  return sum == 1 + n + n * (n + 1) / 2 && product == 1 << (n + 1) / 2 &&
         set == (1 << (n + 1)) - 1 && total == n * (n + 1) * 0.25;
}

static int blocks(int n) {
  int a = 0, b = 0, i, c[4] = {0, 0, 0, 0};
  cilk_spawn {
    a = whole(n);
    b = a * 2;
  }
  for (i = 0; i < 4; i++) {
    int k = i;
    cilk_spawn { c[k] = k * n; }
  }
  cilk_sync;
  return a == n + 1 && b == 2 * a && c[1] == n && c[3] == 3 * n;
}

static __thread int of_thread = 5;
static int counted;
static void count(void) { __atomic_fetch_add(&counted, 1, __ATOMIC_RELAXED); }

static int pointers(int n) {
  int (*const table[])(int) = {whole, calls_of_main_file, calls_back,
                               in_other_file};
  int got[4], i;
  for (i = 0; i < 4; i++)
    got[i] = cilk_spawn table[i](n);
  cilk_spawn count();
  count();
  cilk_sync;
  return got[0] == n + 1 && got[1] == n + 3 && got[2] == n + 4 &&
         got[3] == 2 * n + 4;
}

int main(void) {
  int a, b, c, d;
  shared_number = of_thread;
  a = cilk_spawn results(9);
  b = cilk_spawn compound(6);
  c = cilk_spawn blocks(5);
  d = pointers(4);
  cilk_sync;
  if (!a || !b || !c || !d || counted != 2 || shared_number != 5 ||
      twice_in_parallel(8) != 26) {
    printf("wrong: results %d, compound %d, blocks %d, pointers %d\n", a, b, c,
           d);
    return 1;
  }
  printf("ok\n");
  return 0;
}
