//===- destination-packed.c - Results for less aligned objects ----*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A child stores its result in a member of a packed struct, or in an object
// within one: its pointer says how little aligned that is.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>
struct inner {
  int a;
  long b;
  double c[2];
};
struct __attribute__((packed)) outer {
  char x;
  struct inner in;
  struct inner many[2];
  short s;
  _Complex float z;
  __int128 w;
};
static long one(long n) { return n; }
static double half(long n) { return n * 0.5; }
static struct inner whole(int n) { return (struct inner){n, n, {n, n}}; }
__attribute__((noinline)) static void test(struct outer *p, struct outer *q,
                                           int i) {
  p->in.b = cilk_spawn one(-7);
  p->many[i].c[1] = cilk_spawn half(3);
  p->many[0] = cilk_spawn whole(4);
  q[1].in = cilk_spawn whole(5);
  q[1].s = cilk_spawn one(6);
  q[1].z = cilk_spawn half(8);
  q[1].w = cilk_spawn one(9);
  q[0].in.b += cilk_spawn one(2);
  cilk_sync;
}
int main(void) {
  struct outer p = {0}, q[2] = {{0}};
  test(&p, q, 1);
  CHECK_EQUAL(p.in.b, -7);
  CHECK(p.many[1].c[1] == 1.5 && p.many[0].a == 4 && q[1].in.c[1] == 5);
  CHECK(q[1].s == 6 && q[1].z == 4 && q[1].w == 9 && q[0].in.b == 2);
}
