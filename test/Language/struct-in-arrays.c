//===- struct-in-arrays.c - Structs that come into arrays ---------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The results of a spawn and of a plain call, both structs, go into elements of
// a local array, whose addresses are computed before the call.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>

#define TYPES(X)                                                               \
  X(                                                                           \
      two_ints, struct {                                                       \
        int a;                                                                 \
        int b;                                                                 \
      })                                                                       \
  X(one_int, struct { int a; })                                                \
  X(one_long, struct { long a; })                                              \
  X(                                                                           \
      two_longs, struct {                                                      \
        long a;                                                                \
        long b;                                                                \
      })                                                                       \
  X(                                                                           \
      two_doubles, struct {                                                    \
        double a;                                                              \
        double b;                                                              \
      })                                                                       \
  X(                                                                           \
      three_longs, struct {                                                    \
        long a;                                                                \
        long b;                                                                \
        long c;                                                                \
      })                                                                       \
  X(                                                                           \
      shorts, struct {                                                         \
        short a;                                                               \
        char b;                                                                \
        char c;                                                                \
      })

#define FUNCTIONS(name, STRUCT)                                                \
  typedef STRUCT name;                                                         \
  static name constant_##name(int n) {                                         \
    name h[2];                                                                 \
    if (n < 2)                                                                 \
      return (name){n + 1};                                                    \
    h[0] = cilk_spawn constant_##name(n - 1);                                  \
    h[1] = constant_##name(n - 2);                                             \
    cilk_sync;                                                                 \
    h[1].a += (long)h[0].a % 5;                                                \
    return h[1];                                                               \
  }                                                                            \
  static name variable_##name(int n) {                                         \
    name h[2];                                                                 \
    if (n < 2)                                                                 \
      return (name){n + 1};                                                    \
    h[n & 1] = cilk_spawn variable_##name(n - 1);                              \
    h[~n & 1] = variable_##name(n - 2);                                        \
    cilk_sync;                                                                 \
    h[~n & 1].a += (long)h[n & 1].a % 5;                                       \
    return h[~n & 1];                                                          \
  }

#define CHECKS(name, STRUCT)                                                   \
  CHECK_EQUAL((long)constant_##name(18).a, expected(18));                      \
  CHECK_EQUAL((long)variable_##name(18).a, expected(18));

static long expected(int n) {
  return n < 2 ? n + 1 : expected(n - 2) + expected(n - 1) % 5;
}

TYPES(FUNCTIONS)

int main(void) {
  TYPES(CHECKS)
  return 0;
}
