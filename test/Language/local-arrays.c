//===- local-arrays.c - Arrays that change between spawns ---------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Local arrays, accessed at places known at run time, before, between and after
// the spawns of a loop, whoever does the rest of the loop.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>
#include <string.h>

struct board {
  unsigned char at[9];
};

// The same, in parallel and in order.
#define FUNCTIONS(name, SPAWN, SYNC)                                           \
  static unsigned name##_walk(int depth, unsigned seed) {                      \
    unsigned left[8], sum[2] = {0, 0};                                         \
    for (int i = 0; i < 8; ++i)                                                \
      left[i] = (seed >> i) % 5;                                               \
    if (depth == 0)                                                            \
      return left[seed % 8];                                                   \
    unsigned results[8] = {0};                                                 \
    for (int i = 0; i < 8; ++i) {                                              \
      int k = (seed + 3 * i) % 8;                                              \
      if (left[k] == 0)                                                        \
        continue;                                                              \
      --left[k];                                                               \
      results[i] = SPAWN name##_walk(depth - 1, seed * 5 + left[k]);           \
      left[(k + 3) % 8] += i;                                                  \
      sum[i % 2] += left[k];                                                   \
    }                                                                          \
    SYNC;                                                                      \
    unsigned all = sum[0] ^ 7 * sum[1];                                        \
    for (int i = 0; i < 8; ++i)                                                \
      all = all * 31 + results[i] + left[i];                                   \
    return all;                                                                \
  }                                                                            \
  static int name##_play(struct board b, int who, int depth) {                 \
    if (depth == 0)                                                            \
      return b.at[4] - b.at[0] + who;                                          \
    int results[9], best = -1000;                                              \
    memset(results, 0x80, sizeof results);                                     \
    for (int i = 0; i < 9; ++i) {                                              \
      if (b.at[i] != 0)                                                        \
        continue;                                                              \
      struct board next = b;                                                   \
      next.at[i] = who;                                                        \
      results[i] = SPAWN name##_play(next, 3 - who, depth - 1);                \
      b.at[(i + who) % 9] ^= who << 2;                                         \
    }                                                                          \
    SYNC;                                                                      \
    for (int i = 0; i < 9; ++i)                                                \
      if (results[i] > best)                                                   \
        best = results[i];                                                     \
    return best - b.at[depth];                                                 \
  }

#define NOTHING
FUNCTIONS(parallel, cilk_spawn, cilk_sync)
FUNCTIONS(serial, NOTHING, (void)0)

int main(void) {
  struct board empty = {{0}};
  for (unsigned seed = 1; seed < 9; ++seed)
    CHECK(parallel_walk(5, seed * 0x9e37u) == serial_walk(5, seed * 0x9e37u));
  for (int depth = 0; depth < 8; ++depth)
    CHECK(parallel_play(empty, 1, depth) == serial_play(empty, 1, depth));
  return 0;
}
