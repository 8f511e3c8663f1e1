/*===- division.c - Quotients of lanes ------------------------------------===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
// Integers up to 32 bits are divided in floating point, with any dividend and
// divisor that C defines a quotient for, however that rounds.  What all lanes are
// divided by is inverted once.
// RUN: cilk2chan -fcilk-serialize -O1 %s -lm -o %t.serial
// RUN: %t.serial > %t.want
// RUN: cilk2chan -O2 -fchan-batch -fchan-lanes=4 %s -lm -o %t.4
// RUN: %t.4 | diff %t.want -
// RUN: cilk2chan -O2 -march=native -fchan-batch -fchan-lanes=16 -Rpass=chan-simd %s -lm -o %t.16 2>&1 | FileCheck %s
// RUN: %t.16 | diff %t.want -
// CHECK-DAG: 'words.batch.0' treats 16 elements at a time
// CHECK-DAG: 'halves.batch.0' treats 16 elements at a time
// CHECK-DAG: 'bytes.batch.0' treats 16 elements at a time
// CHECK-DAG: 'longs.batch.0' treats 16 elements at a time
// CHECK-DAG: 'sharedWords.batch.0' treats 16 elements at a time
// CHECK-DAG: 'sharedHalves.batch.0' treats 16 elements at a time
// CHECK-DAG: 'sharedBytes.batch.0' treats 16 elements at a time

#include <fenv.h>
#include <limits.h>
#include <stdio.h>

#define DIVIDE(name, type)                                                                                            \
  static long name(int depth, type a, type b) {                                                                       \
    if (depth == 0)                                                                                                   \
      return a;                                                                                                       \
    type divisor = b == 0 || b == -1 ? 7 : b;                                                                         \
    unsigned type unsignedDivisor = divisor;                                                                          \
    type quotient = a / divisor, rest = a % divisor;                                                                  \
    unsigned type up = (unsigned type)a / unsignedDivisor, left = (unsigned type)a % unsignedDivisor;                 \
    long x = cilk_spawn name(depth - 1, quotient ^ b, rest + 3);                                                      \
    long y = cilk_spawn name(depth - 1, up + left, a >> 1);                                                           \
    cilk_sync;                                                                                                        \
    return x * 3 + y + quotient + rest + up - left;                                                                   \
  }
DIVIDE(words, int)
DIVIDE(halves, short)
DIVIDE(bytes, char)
DIVIDE(longs, long)

/* Quotients of multiples, too, which are closest to another one. */
static int shared;
#define SHARED(name, type)                                                                                            \
  static long name(int depth, type a) {                                                                               \
    if (depth == 0)                                                                                                   \
      return a;                                                                                                       \
    type divisor = (type)shared == 0 || (type)shared == -1 ? 7 : shared;                                              \
    unsigned type unsignedDivisor = divisor;                                                                          \
    type multiple = a / divisor * divisor, rest = a % divisor;                                                        \
    unsigned type up = (unsigned type)a / unsignedDivisor * unsignedDivisor, left = (unsigned type)a % unsignedDivisor; \
    type quotient = multiple / divisor, below = (unsigned type)(up - 1) / unsignedDivisor;                            \
    long x = cilk_spawn name(depth - 1, multiple ^ (rest + 3));                                                       \
    long y = cilk_spawn name(depth - 1, (a >> 1) + below);                                                            \
    cilk_sync;                                                                                                        \
    return x * 3 + y + quotient + rest + up / unsignedDivisor - left + below;                                         \
  }
SHARED(sharedWords, int)
SHARED(sharedHalves, short)
SHARED(sharedBytes, char)

int main(void) {
  static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  static const int limits[] = {INT_MAX, INT_MIN, INT_MAX - 1, INT_MIN + 1, 1, 0, SHRT_MAX, SHRT_MIN, USHRT_MAX,
                               SCHAR_MAX, SCHAR_MIN, UCHAR_MAX};
  enum { Count = sizeof limits / sizeof *limits };
  unsigned state = 1;
  for (int i = 0; i < 400; i++) {
    state = state * 1664525 + 1013904223;
    int a = i < Count * Count ? limits[i / Count] : (int)(state ^ state >> 7);
    state = state * 1664525 + 1013904223;
    int b = i < Count * Count ? limits[i % Count] : (int)state >> i % 31;
    fesetround(modes[i % 4]);
    shared = b;
    printf("%ld %ld %ld %ld\n", words(8, a, b), halves(8, a, b), bytes(8, a, b), longs(5, a, b));
    printf("%ld %ld %ld\n", sharedWords(8, a), sharedHalves(8, a), sharedBytes(8, a));
  }
}
