//===- return-spawn.c - return spawn f() --------------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `return spawn f()` works, for all kinds of results, beside other children.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// CFLAGS: -w

#include "../Support/check.h"
#include <cilk/cilk.h>

struct wide {
  long v[4];
};

static int gcd(int a, int b) {
  if (b == 0)
    return a;
  return cilk_spawn gcd(b, a % b);
}

static struct wide shift(struct wide w, int n) {
  if (n == 0)
    return w;
  struct wide r = {{w.v[3], w.v[0], w.v[1], w.v[2]}};
  return cilk_spawn shift(r, n - 1);
}

static double narrow(int n) {
  int unused = cilk_spawn gcd(n, 6);
  return cilk_spawn gcd(n, 12);
}

static void nothing(int *p) { *p += 1; }

static void last(int *p) {
  cilk_spawn nothing(p);
  cilk_sync;
  return nothing(p);
}

int main(void) {
  CHECK_EQUAL(gcd(1071, 462), 21);
  struct wide w = shift((struct wide){{0, 1, 2, 3}}, 6);
  for (int i = 0; i < 4; ++i)
    CHECK_EQUAL(w.v[i], (i + 2) % 4);
  CHECK(narrow(18) == 6.0);
  int n = 0;
  last(&n);
  CHECK_EQUAL(n, 2);
  puts("returned");
  return 0;
}
