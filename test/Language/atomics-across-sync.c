//===- atomics-across-sync.c - Atomic objects of all types --------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Atomic locals of each arithmetic type, also those that only a library can
// access: read and written before the sync and after it.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// LIBS: -latomic

#include "../Support/check.h"
#include <cilk/cilk.h>

static int same(int n) { return n; }

// The value is real: 1, and 2 times 1.5 more.
#define TEST(NAME, TYPE)                                                       \
  __attribute__((noinline)) static int NAME(int n) {                           \
    _Atomic(TYPE) object = (TYPE)1, others[2] = {1, (TYPE)2};                  \
    volatile _Atomic(TYPE) unoptimised = (TYPE)3;                              \
    int child = cilk_spawn same(n);                                            \
    object += (TYPE)1.5;                                                       \
    cilk_sync;                                                                 \
    object = object + (TYPE)1.5;                                               \
    others[child] += others[1];                                                \
    unoptimised *= (TYPE)2;                                                    \
    CHECK((TYPE)object == (TYPE)1 + (TYPE)1.5 + (TYPE)1.5);                    \
    CHECK((TYPE)others[0] == (TYPE)3);                                         \
    CHECK((TYPE)unoptimised == (TYPE)6);                                       \
    return child;                                                              \
  }
#define WITH_COMPLEX(NAME, TYPE)                                               \
  TEST(NAME, TYPE)                                                             \
  TEST(NAME##Complex, _Complex TYPE)

TEST(byte, signed char)
TEST(word, unsigned short)
TEST(integer, int)
TEST(wide, long)
TEST(widest, __int128)
TEST(half, _Float16)
WITH_COMPLEX(single, float)
WITH_COMPLEX(real, double)
WITH_COMPLEX(extended, long double)

// Loads, stores and exchanges of 16 bytes.
struct pair {
  long a, b;
};
__attribute__((noinline)) static void pairs(int n) {
  _Atomic(struct pair) object = (struct pair){1, 2};
  _Atomic(unsigned __int128) number = 1;
  unsigned __int128 expected = 2, large = (unsigned __int128)1 << 100;
  int child = cilk_spawn same(n);
  struct pair before = object;
  object = (struct pair){before.b, before.a};
  CHECK(!__c11_atomic_compare_exchange_strong(
      &number, &expected, large, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  CHECK(expected == 1);
  cilk_sync;
  CHECK(__c11_atomic_exchange(&number, large, __ATOMIC_SEQ_CST) == 1);
  CHECK(__c11_atomic_fetch_or(&number, 3, __ATOMIC_SEQ_CST) == large);
  struct pair after = object;
  CHECK_EQUAL(after.a * 10 + after.b + child, 21);
  CHECK(number == large + 3);
}

int main(void) {
  pairs(0);
  CHECK_EQUAL(byte(0) + word(0) + integer(0) + wide(0) + widest(0), 0);
  CHECK_EQUAL(half(0) + single(0) + real(0) + extended(0), 0);
  CHECK_EQUAL(singleComplex(0) + realComplex(0) + extendedComplex(0), 0);
  return 0;
}
