//===- for-limits.c - trip counts at the limits of types ----------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The number of iterations need not fit the control variable's type; unsigned
// variables wrap around under `!=`.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>
#include <limits.h>

/// Iterations of a loop, and the sum of the control variable.
#define COUNT(T, header, count, sum)                                           \
  do {                                                                         \
    long n = 0, s = 0;                                                         \
    cilk_for                                                                   \
      header {                                                                 \
        __atomic_add_fetch(&n, 1, __ATOMIC_RELAXED);                           \
        __atomic_add_fetch(&s, (long)i, __ATOMIC_RELAXED);                     \
      }                                                                        \
    CHECK_EQUAL(n, count);                                                     \
    CHECK_EQUAL(s, sum);                                                       \
  } while (0)

int main(void) {
  // More iterations than the type's largest value.
  COUNT(signed char, (signed char i = -128; i < 127; i++), 255, -128 - 127);
  COUNT(short, (short i = SHRT_MIN; i < SHRT_MAX; i++), 65535, -65535);
  COUNT(int, (int i = INT_MIN; i < INT_MAX - (1 << 20); i += 1 << 20), 4095,
        4095L * INT_MIN + (1L << 20) * (4094L * 4095 / 2));
  COUNT(int, (int i = INT_MAX; i > -1 - (1 << 30); i -= 1 << 30), 3,
        3L * INT_MAX - 3 * (1L << 30));
  COUNT(long, (long i = LONG_MIN; i < LONG_MAX - (1L << 60); i += 1L << 60), 15,
        (1UL << 63) * 15 + (105UL << 60));

  // The last value is the type's own.
  COUNT(unsigned char, (unsigned char i = 250; i <= 254; i++), 5, 1260);
  COUNT(int, (int i = INT_MAX - 3; i <= INT_MAX - 1; i++), 3, 3L * INT_MAX - 6);
  COUNT(unsigned, (unsigned i = UINT_MAX - 2; i < UINT_MAX; i++), 2,
        2L * UINT_MAX - 3);
  COUNT(unsigned, (unsigned i = 3; i >= 1; i--), 3, 6);

  // Around the end of the type.
  COUNT(unsigned char, (unsigned char i = 250; i != 5; i++), 11,
        250 + 251 + 252 + 253 + 254 + 255 + 10);
  COUNT(unsigned char, (unsigned char i = 5; i != 250; i--), 11,
        250 + 251 + 252 + 253 + 254 + 255 - 250 + 15);
  COUNT(unsigned, (unsigned i = UINT_MAX - 1; i != 4; i += 2), 3,
        (long)UINT_MAX - 1 + 0 + 2);
  COUNT(unsigned long, (unsigned long i = -2UL; i != 2; i++), 4, -2);

  COUNT(int, (int i = 0; i < 0; i++), 0, 0);
  COUNT(int, (int i = 5; i < -5; i++), 0, 0);
  COUNT(unsigned, (unsigned i = 5; i <= 4; i++), 0, 0);
  COUNT(int, (int i = 5; i <= 5; i++), 1, 5);
  // Not entered, so its stride does not matter.
  int zero = 0;
  COUNT(int, (int i = 5; i < 5; i += zero), 0, 0);
  COUNT(int, (int i = 5; i != 5; i += zero), 0, 0);
  COUNT(int, (int i = 5; i >= 6; i += 7 + zero), 0, 0);
  return 0;
}
