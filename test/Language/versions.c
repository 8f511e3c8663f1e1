//===- versions.c - Functions with a version for each processor ----*- C
//-*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function with several versions is spawned, called and passed as a pointer;
// the resolver chooses the version, on a simulated machine as well.
//
//===----------------------------------------------------------------------===//
// VGIW-SAMPLE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>

__attribute__((target_clones("avx2", "default"))) int triple(int n) {
  return n * 3;
}
static __attribute__((target_clones("arch=haswell", "sse4.2", "default"))) long
twice(long n) {
  return n + n;
}
static __attribute__((target("default"))) double half(double x) {
  return x / 2;
}
static __attribute__((target("avx2"))) double half(double x) { return x / 2; }

static int (*volatile pointer)(int) = triple;
static long (*const table[])(long) = {twice, twice};

static long tree(int depth) {
  if (depth == 0)
    return triple(1);
  long a = cilk_spawn tree(depth - 1), b = cilk_spawn twice(depth);
  long c = tree(depth - 1);
  cilk_sync;
  return a + b + c;
}

int main(void) {
  int a = cilk_spawn triple(10), b = cilk_spawn pointer(20), c = triple(30);
  long d = cilk_spawn table[1](7);
  double e = cilk_spawn half(5), f = 1;
  f += half(3);
  cilk_sync;
  CHECK_EQUAL(a, 30);
  CHECK_EQUAL(b, 60);
  CHECK_EQUAL(c, 90);
  CHECK_EQUAL(d, 14);
  CHECK(e == 2.5 && f == 2.5);
  CHECK_EQUAL(tree(4), 16 * 3 + 2 * (8 * 1 + 4 * 2 + 2 * 3 + 1 * 4));
  int all[50];
  cilk_for (int i = 0; i < 50; i++)
    all[i] = triple(i) + (int)twice(i) + (int)half(2 * i);
  for (int i = 0; i < 50; i++)
    CHECK_EQUAL(all[i], 6 * i);
  printf("%d %d %d %ld %g %g\n", a, b, c, d, e, f);
  return 0;
}
