//===- for-forms.c - every form of a cilk_for's header ------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each loop runs once as cilk_for and once as for; both must see the same
// values of the control variable, whatever its type, condition and increment.
//
//===----------------------------------------------------------------------===//
// CFLAGS: -Wno-sign-compare
// SANITIZE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>
#include <stddef.h>

static long seen;
static uint64_t mix;

static void see(uint64_t value) {
  __atomic_add_fetch(&seen, 1, __ATOMIC_RELAXED);
  __atomic_add_fetch(&mix, scramble(value), __ATOMIC_RELAXED);
}

static int loops;

/// Runs the loop in both ways. Clears `seen` and `mix` before each.
#define BOTH(header, value)                                                    \
  do {                                                                         \
    seen = mix = 0;                                                            \
    for                                                                        \
      header see((uint64_t)(value));                                           \
    long right = seen;                                                         \
    uint64_t rightMix = mix;                                                   \
    seen = mix = 0;                                                            \
    cilk_for                                                                   \
      header see((uint64_t)(value));                                           \
    CHECK_EQUAL(seen, right);                                                  \
    CHECK(mix == rightMix);                                                    \
    ++loops;                                                                   \
  } while (0)

#define ALL_FORMS(T, low, high, step)                                          \
  do {                                                                         \
    T l = (low), h = (high), s = (step);                                       \
    BOTH((T i = l; i < h; i++), i);                                            \
    BOTH((T i = l; i <= h; ++i), i);                                           \
    BOTH((T i = h; i > l; i--), i);                                            \
    BOTH((T i = h; i >= l + 1; --i), i);                                       \
    BOTH((T i = l; i != h; i++), i);                                           \
    BOTH((T i = h; i != l; i--), i);                                           \
    BOTH((T i = l; h > i; i++), i);                                            \
    BOTH((T i = l; h >= i; i++), i);                                           \
    BOTH((T i = h; l < i; i--), i);                                            \
    BOTH((T i = h; l + 1 <= i; i--), i);                                       \
    BOTH((T i = l; h != i; i++), i);                                           \
    BOTH((T i = l; i < h; i += s), i);                                         \
    BOTH((T i = l; i <= h; i += 3), i);                                        \
    BOTH((T i = h; i > l + s; i -= s), i);                                     \
    BOTH((T i = h; i >= l + 2; i -= 2), i);                                    \
    BOTH((T i = l; i < h; i = i + s), i);                                      \
    BOTH((T i = l; i < h; i = s + i), i);                                      \
    BOTH((T i = h; i > l + s; i = i - s), i);                                  \
    BOTH((T i = l; i < h; i = i + 2), i);                                      \
    BOTH((T i = l; i != l; i++), i);                                           \
    BOTH((T i = h; i < l; i++), i);                                            \
    BOTH((T i = l; (i) < (h); (i)++), i);                                      \
    T j;                                                                       \
    BOTH((j = l; j < h; j++), j);                                              \
    CHECK(j == h);                                                             \
    BOTH((j = h; j > l + s; j -= s), j);                                       \
    T after = h;                                                               \
    while (after > l + s)                                                      \
      after -= s;                                                              \
    CHECK(j == after);                                                         \
  } while (0)

enum Colour { red, green, blue, white = 40 };

static void strides(int up, int down, unsigned step, long wide, short narrow) {
  BOTH((int i = 0; i < 100; i += up), i);
  BOTH((int i = 100; i > 0; i += down), i);
  BOTH((int i = 100; i > 0; i -= up), i);
  BOTH((int i = 0; i < 100; i -= down), i);
  BOTH((int i = 0; i < 100; i += step), i);
  BOTH((unsigned i = 100; i > 9; i += down), i);
  BOTH((unsigned i = 0; i < 100; i -= down), i);
  BOTH((unsigned char i = 200; i > 5; i += down), i);
  BOTH((int i = 0; i < 1000; i += wide), i);
  BOTH((long i = 0; i < 1000; i += narrow), i);
  BOTH((unsigned long i = 1000; i >= 10; i = i + down), i);
  BOTH((int i = 0; i != 35; i += up), i);
  BOTH((int i = 35; i != 0; i += down), i);
  BOTH((int i = 0; i < 100; i += blue), i);
}

/// Compared in another type than the control variable's.
static void conversions(unsigned u, long l, short s, unsigned long ul) {
  BOTH((int i = -5; i < l; i++), i);
  BOTH((int i = 0; i < u; i++), i);
  BOTH((int i = -1; i < u; i++), i);
  BOTH((short i = 0; i < ul; i++), i);
  BOTH((unsigned char i = 3; i <= s; i++), i);
  BOTH((long i = 0; i < s; i++), i);
  BOTH((int i = 0; (long)i < l; i++), i);
  BOTH((enum Colour c = red; c < white; c++), c);
}

static void pointers(int n) {
  static int cells[50];
  struct Big {
    char bytes[24];
  } bigs[20], *big;
  int (*row)[n] = (void *)cells;
  ptrdiff_t two = 2;
  size_t three = 3;
  BOTH((int *p = cells; p < cells + n; p++), p - cells);
  BOTH((int *p = cells + n; p > cells; --p), p - cells);
  BOTH((int *p = cells; p != cells + n; p++), p - cells);
  BOTH((const int *p = cells; p <= cells + n; p += 2), p - cells);
  BOTH((int *p = cells + n; p >= cells; p -= two), p - cells);
  BOTH((int *p = cells; cells + n > p; p = p + three), p - cells);
  BOTH((int *p = cells; p < cells + n; p = three + p), p - cells);
  BOTH((char *p = (char *)cells; p < (char *)(cells + n); p++),
       p - (char *)cells);
  BOTH((big = bigs; big < bigs + 20; big += two), big - bigs);
  CHECK(big == bigs + 20);
  BOTH((int (*r)[n] = row; r < row + 5; r++), (char *)r - (char *)row);
  BOTH((int (*r)[n] = row + 5; r != row; r--), (char *)r - (char *)row);
}

int main(void) {
  ALL_FORMS(int, -7, 90, 4);
  ALL_FORMS(unsigned, 3, 77, 5);
  ALL_FORMS(char, -3, 100, 4);
  ALL_FORMS(signed char, -100, 100, 7);
  ALL_FORMS(unsigned char, 1, 250, 5);
  ALL_FORMS(short, -300, 300, 20);
  ALL_FORMS(unsigned short, 9, 3000, 100);
  ALL_FORMS(long, -1000000000040, -1000000000000, 3);
  ALL_FORMS(unsigned long, 1000000000000, 1000000000040, 3);
  ALL_FORMS(long long, -20, 20, 2);
  ALL_FORMS(unsigned long long, 0, 20, 2);
  ALL_FORMS(_BitInt(37), -50, 40, 3);
  strides(7, -5, 9, 11, 13);
  conversions(30, 20, 40, 50);
  pointers(10);
  printf("%d loops\n", loops);
  return 0;
}
