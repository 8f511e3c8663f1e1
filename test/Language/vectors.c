//===- vectors.c - Vectors of GCC and Clang ------------------------*- C
//-*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As arguments, results, destinations and values that live across a sync; those
// that C passes in registers, as integers, and in memory.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// CFLAGS: -Wno-psabi
// VGIW-SAMPLE: yes

#include "../Support/check.h"

typedef char char16 __attribute__((vector_size(16)));
typedef short short2 __attribute__((vector_size(4)));
typedef float float2 __attribute__((vector_size(8)));
typedef int int3 __attribute__((ext_vector_type(3)));
typedef double double4 __attribute__((vector_size(32)));
typedef long long8 __attribute__((vector_size(64)));
typedef char char1 __attribute__((vector_size(1)));
typedef _Bool bool8 __attribute__((ext_vector_type(8)));
struct holder {
  char tag;
  char16 value;
};

#define TREE(TYPE, COUNT)                                                      \
  static TYPE tree_##TYPE(int depth, TYPE value) {                             \
    if (depth == 0)                                                            \
      return value;                                                            \
    TYPE left = cilk_spawn tree_##TYPE(depth - 1, value + 1);                  \
    TYPE right = cilk_spawn tree_##TYPE(depth - 1, value);                     \
    TYPE kept = value + value;                                                 \
    cilk_sync;                                                                 \
    return left + right - kept;                                                \
  }                                                                            \
  static void check_##TYPE(void) {                                             \
    TYPE zero = {0}, sum = zero, list[3];                                      \
    TYPE result = tree_##TYPE(5, zero);                                        \
    for (int i = 0; i < COUNT; i++)                                            \
      CHECK(result[i] == result[0]);                                           \
    for (int i = 0; i < 3; i++)                                                \
      list[i] = cilk_spawn tree_##TYPE(i, zero + 1);                           \
    sum += cilk_spawn tree_##TYPE(2, zero + 1);                                \
    cilk_sync;                                                                 \
    CHECK(list[0][0] == 1);                                                    \
    for (int i = 0; i < 3; i++)                                                \
      sum += list[i];                                                          \
    printf(#TYPE " %g %g\n", (double)result[0], (double)sum[0]);               \
  }

TREE(char16, 16)
TREE(short2, 2)
TREE(float2, 2)
TREE(int3, 3)
TREE(double4, 4)
TREE(long8, 8)
TREE(char1, 1)

static bool8 flip(bool8 given) { return ~given; }

static char16 fill(char with) { return (char16){} + with; }

static void check_others(void) {
  bool8 none = {0}, all = cilk_spawn flip(none);
  struct holder holder = {'t', {0}};
  holder.value = cilk_spawn fill(3);
  cilk_sync;
  CHECK(all[0] && all[7] && holder.tag == 't' && holder.value[4] == 3);
}

int main(void) {
  check_char16();
  check_short2();
  check_float2();
  check_int3();
  check_double4();
  check_long8();
  check_char1();
  check_others();
  return 0;
}
