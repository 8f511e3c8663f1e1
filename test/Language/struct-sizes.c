//===- struct-sizes.c - Structs of 1 to 40 bytes by value ---------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Structs of every size from 1 to 40 bytes as argument, result and destination,
// some in registers and some in memory, with another argument on either side.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// VGIW-SAMPLE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>
#include <string.h>

// clang-format takes the list for one long expression.
// clang-format off
#define FOR_SIZES(X)                                                           \
  X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10)                           \
  X(11) X(12) X(13) X(14) X(15) X(16) X(17) X(18) X(19) X(20)                  \
  X(21) X(22) X(23) X(24) X(25) X(26) X(27) X(28) X(29) X(30)                  \
  X(31) X(32) X(33) X(34) X(35) X(36) X(37) X(38) X(39) X(40)
// clang-format on

#define DEFINE(N)                                                              \
  struct bytes##N {                                                            \
    unsigned char b[N];                                                        \
  };                                                                           \
  static struct bytes##N add##N(int k, struct bytes##N s, long m) {            \
    for (int i = 0; i < N; ++i)                                                \
      s.b[i] = (unsigned char)(s.b[i] + k + m);                                \
    return s;                                                                  \
  } static struct bytes##N deep##N(int k, struct bytes##N s, long m) {         \
    struct bytes##N result;                                                    \
    if (k == 0) {                                                              \
      result = cilk_spawn add##N(1, s, m);                                     \
      memset(&s, 0xee, sizeof s);                                              \
    } else {                                                                   \
      s.b[N - 1] = (unsigned char)(s.b[N - 1] + 1);                            \
      result = cilk_spawn deep##N(k - 1, s, m);                                \
    }                                                                          \
    cilk_sync;                                                                 \
    return result;                                                             \
  } static void test##N(void) {                                                \
    struct bytes##N s, results[3];                                             \
    for (int i = 0; i < N; ++i)                                                \
      s.b[i] = (unsigned char)(i * 7);                                         \
    for (int i = 0; i < 3; ++i)                                                \
      results[i] = cilk_spawn deep##N(i, s, 10 * i);                           \
    s.b[0] = 200;                                                              \
    cilk_sync;                                                                 \
    CHECK_EQUAL(s.b[0], 200);                                                  \
    for (int k = 0; k < 3; ++k)                                                \
      for (int i = 0; i < N; ++i)                                              \
        CHECK_EQUAL(results[k].b[i],                                           \
                    (unsigned char)(i * 7 + 1 + 10 * k + (i == N - 1) * k));   \
  }

FOR_SIZES(DEFINE)

static void all(void) {
#define SPAWN(N) cilk_spawn test##N();
  FOR_SIZES(SPAWN)
}

int main(void) {
  all();
  puts("1 to 40 bytes");
  return 0;
}
