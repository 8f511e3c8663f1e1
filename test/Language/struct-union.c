//===- struct-union.c - Unions, nested and flexible structs -------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Unions by value in and out, structs with unions in them, arrays of structs as
// destinations, and a member of a destination union.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>

union number {
  int i;
  float f;
  double d;
};
union wide {
  char text[24];
  long long words[3];
};
struct value {
  enum { Integer, Real, Text } kind;
  union {
    long integer;
    double real;
    char text[16];
  };
};

static union number number(int i, double d) {
  union number n;
  if (d != 0)
    n.d = d;
  else
    n.i = i;
  return n;
}

static union wide widen(union wide w, int n) {
  if (n == 0)
    return w;
  w.words[n % 3] += n;
  union wide r = cilk_spawn widen(w, n - 1);
  cilk_sync;
  return r;
}

static struct value make(int n) {
  struct value v = {Integer, {0}};
  if (n % 3 == 0) {
    v.integer = n;
  } else if (n % 3 == 1) {
    v.kind = Real;
    v.real = n / 4.0;
  } else {
    v.kind = Text;
    snprintf(v.text, sizeof v.text, "<%d>", n);
  }
  return v;
}

static struct value pick(struct value a, struct value b, int n) {
  struct value results[4];
  if (n == 0)
    return a;
  for (int i = 0; i < 4; ++i)
    results[i] = cilk_spawn make(n + i);
  cilk_sync;
  struct value r = cilk_spawn pick(results[n % 4], a, n - 1);
  cilk_sync;
  return n > 5 ? b : r;
}

static void destinations(void) {
  union number n, list[2];
  n = cilk_spawn number(5, 0);
  list[1] = cilk_spawn number(0, 2.5);
  cilk_sync;
  CHECK_EQUAL(n.i, 5);
  CHECK(list[1].d == 2.5);
  n.i = cilk_spawn abs(-17);
  list[0].d = cilk_spawn strtod("0.75", NULL);
  cilk_sync;
  CHECK_EQUAL(n.i, 17);
  CHECK(list[0].d == 0.75);
}

int main(void) {
  destinations();
  union wide w = {.words = {100, 200, 300}};
  w = widen(w, 8);
  CHECK_EQUAL(w.words[0], 100 + 3 + 6);
  CHECK_EQUAL(w.words[1], 200 + 1 + 4 + 7);
  CHECK_EQUAL(w.words[2], 300 + 2 + 5 + 8);
  struct value v = pick(make(1), make(2), 3);
  /* 6, then 4, then 2 is the one of four that each round picks. */
  CHECK_EQUAL(v.kind, Text);
  CHECK(v.text[1] == '2');
  v = pick(make(1), make(5), 6);
  CHECK(v.kind == Text && v.text[1] == '5');
  puts("unions");
  return 0;
}
