//===- destination-scalars.c - All scalar types as results --------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arguments, results and destinations of every scalar type, through spawning
// functions and ordinary ones.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// LIBS: -lm

#include "../Support/check.h"
#include <cilk/cilk.h>
#include <complex.h>
#include <stdint.h>
#include <string.h>

typedef void (*action)(void);
enum colour { Red, Green = 7, Blue = -3 };
typedef float vec4 __attribute__((vector_size(16)));

/* A spawning function and an ordinary one that return their argument. */
#define IDENTITIES(name, type)                                                 \
  static type name##_plain(type value) { return value; }                       \
  static type name##_spawning(type value, int depth) {                         \
    type result;                                                               \
    if (depth == 0) {                                                          \
      result = cilk_spawn name##_plain(value);                                 \
      cilk_sync;                                                               \
      return result;                                                           \
    }                                                                          \
    result = cilk_spawn name##_spawning(value, depth - 1);                     \
    cilk_sync;                                                                 \
    return result;                                                             \
  }

IDENTITIES(boolean, _Bool)
IDENTITIES(character, char)
IDENTITIES(signed_char, signed char)
IDENTITIES(unsigned_char, unsigned char)
IDENTITIES(short_int, short)
IDENTITIES(unsigned_short, unsigned short)
IDENTITIES(plain_int, int)
IDENTITIES(unsigned_int, unsigned)
IDENTITIES(long_int, long)
IDENTITIES(long_long, long long)
IDENTITIES(unsigned_long_long, unsigned long long)
IDENTITIES(wide_int, __int128)
IDENTITIES(single, float)
IDENTITIES(twice, double)
IDENTITIES(extended, long double)
IDENTITIES(complex_single, float _Complex)
IDENTITIES(complex_double, double _Complex)
IDENTITIES(complex_extended, long double _Complex)
IDENTITIES(enumeration, enum colour)
IDENTITIES(object_pointer, const char *)
IDENTITIES(function_pointer, action)
IDENTITIES(vector, vec4)

static int equal(const void *a, const void *b, size_t size) {
  return memcmp(a, b, size) == 0;
}

/* x87 numbers have padding, so they are compared as numbers. */
#define EXPECT_SAME(a, b) CHECK((a) == (b))

static void scalars(void) {
  _Bool b;
  char c;
  signed char sc;
  unsigned char uc;
  short s;
  unsigned short us;
  int i;
  unsigned u;
  long l;
  long long ll;
  unsigned long long ull;
  __int128 w;
  b = cilk_spawn boolean_spawning(1, 3);
  c = cilk_spawn character_spawning('x', 3);
  sc = cilk_spawn signed_char_spawning(-128, 3);
  uc = cilk_spawn unsigned_char_spawning(255, 3);
  s = cilk_spawn short_int_spawning(-32768, 3);
  us = cilk_spawn unsigned_short_spawning(65535, 3);
  i = cilk_spawn plain_int_spawning(-2147483647, 3);
  u = cilk_spawn unsigned_int_spawning(4294967295u, 3);
  l = cilk_spawn long_int_spawning(-5000000000, 3);
  ll = cilk_spawn long_long_spawning(INT64_MIN, 3);
  ull = cilk_spawn unsigned_long_long_spawning(UINT64_MAX, 3);
  w = cilk_spawn wide_int_spawning((__int128)-7 * ((__int128)1 << 100), 3);
  cilk_sync;
  EXPECT_SAME(b, 1);
  EXPECT_SAME(c, 'x');
  EXPECT_SAME(sc, -128);
  EXPECT_SAME(uc, 255);
  EXPECT_SAME(s, -32768);
  EXPECT_SAME(us, 65535);
  EXPECT_SAME(i, -2147483647);
  EXPECT_SAME(u, 4294967295u);
  EXPECT_SAME(l, -5000000000);
  EXPECT_SAME(ll, INT64_MIN);
  EXPECT_SAME(ull, UINT64_MAX);
  EXPECT_SAME(w, -(__int128)7 * ((__int128)1 << 100));
}

static void reals_and_pointers(const char *text) {
  float f;
  double d;
  long double e;
  float _Complex cf;
  double _Complex cd;
  long double _Complex ce;
  enum colour colour;
  const char *p;
  action a;
  vec4 v, given = {1, 2, 3, 4};
  f = cilk_spawn single_spawning(1.25f, 2);
  d = cilk_spawn twice_spawning(-1e300, 2);
  e = cilk_spawn extended_spawning(1e4000L, 2);
  cf = cilk_spawn complex_single_spawning(1 + 2 * I, 2);
  cd = cilk_spawn complex_double_spawning(3 - 4 * I, 2);
  ce = cilk_spawn complex_extended_spawning(5 + 6 * I, 2);
  colour = cilk_spawn enumeration_spawning(Blue, 2);
  p = cilk_spawn object_pointer_spawning(text, 2);
  a = cilk_spawn function_pointer_spawning(scalars, 2);
  v = cilk_spawn vector_spawning(given, 2);
  cilk_sync;
  EXPECT_SAME(f, 1.25f);
  EXPECT_SAME(d, -1e300);
  EXPECT_SAME(e, 1e4000L);
  EXPECT_SAME(cf, 1 + 2 * I);
  EXPECT_SAME(cd, 3 - 4 * I);
  EXPECT_SAME(ce, 5 + 6 * I);
  EXPECT_SAME(colour, Blue);
  EXPECT_SAME(p, text);
  EXPECT_SAME(a, scalars);
  CHECK(equal(&v, &given, sizeof v));
}

int main(void) {
  scalars();
  reals_and_pointers("text");
  puts("all scalar types");
  return 0;
}
