//===- compound-operators.c - All compound assignments ------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `x op= spawn f()` with every operator, on integers of several widths, on
// pointers and on bit-fields; alone and several pending.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>

static long give(long n) {
  if (n < 0) {
    long same = cilk_spawn give(-n);
    cilk_sync;
    return same;
  }
  return n;
}

/* All ten, each on a variable of its own and all pending together. */
#define ALL_OPERATORS(type, name)                                              \
  static long name(long start, long by) {                                      \
    type a = start, b = start, c = start, d = start, e = start;                \
    type f = start, g = start, h = start, i = start, j = start;                \
    a += cilk_spawn give(by);                                                  \
    b -= cilk_spawn give(-by);                                                 \
    c *= cilk_spawn give(by);                                                  \
    d /= cilk_spawn give(-by);                                                 \
    e %= cilk_spawn give(by);                                                  \
    f &= cilk_spawn give(-by);                                                 \
    g |= cilk_spawn give(by);                                                  \
    h ^= cilk_spawn give(-by);                                                 \
    i <<= cilk_spawn give(by % 5);                                             \
    j >>= cilk_spawn give(by % 5);                                             \
    cilk_sync;                                                                 \
    CHECK_EQUAL(a, (type)(start + by));                                        \
    CHECK_EQUAL(b, (type)(start - by));                                        \
    CHECK_EQUAL(c, (type)(start * by));                                        \
    CHECK_EQUAL(d, (type)(start / by));                                        \
    CHECK_EQUAL(e, (type)(start % by));                                        \
    CHECK_EQUAL(f, (type)(start & by));                                        \
    CHECK_EQUAL(g, (type)(start | by));                                        \
    CHECK_EQUAL(h, (type)(start ^ by));                                        \
    CHECK_EQUAL(i, (type)(start << by % 5));                                   \
    CHECK_EQUAL(j, (type)(start >> by % 5));                                   \
    return a ^ b ^ c ^ d ^ e ^ f ^ g ^ h ^ i ^ j;                              \
  }
ALL_OPERATORS(unsigned char, on_bytes)
ALL_OPERATORS(short, on_shorts)
ALL_OPERATORS(int, on_ints)
ALL_OPERATORS(long, on_longs)

static int *pointers(int *p) {
  p += cilk_spawn give(6);
  p -= cilk_spawn give(-2);
  return p;
}

struct bits {
  unsigned a : 5, b : 7;
};

static unsigned bit_fields(struct bits *s) {
  s->a += cilk_spawn give(9);
  s->a *= cilk_spawn give(2);
  cilk_sync;
  s->b |= cilk_spawn give(64);
  cilk_sync;
  return s->a;
}

static _Bool booleans(_Bool b) {
  b &= cilk_spawn give(3);
  b |= cilk_spawn give(0);
  return b;
}

int main(void) {
  long hash = on_bytes(100, 7) + on_shorts(100, 13) + on_ints(20000, 13);
  hash += on_longs(123456789012, 9);
  int array[8];
  CHECK(pointers(array) == array + 4);
  struct bits s = {3, 5};
  CHECK_EQUAL(bit_fields(&s), 24);
  CHECK_EQUAL(s.a, 24);
  CHECK_EQUAL(s.b, 69);
  CHECK_EQUAL(booleans(1), 1);
  CHECK_EQUAL(booleans(0), 0);
  printf("%ld\n", hash);
  return 0;
}
