//===- chains.c - Recursion with nothing to do at one time --------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each child is waited for before there is another, so that more workers than
// one are of no use: they are to do no harm, and to come when there is work,
// as there is at the end. Checked against loops.
//
//===----------------------------------------------------------------------===//
// CFLAGS: -Wno-cilk-serial
// BENCH-ARGS: 10 2000 22

#include "../Support/check.h"
#include "../Support/stopwatch.h"
#include <cilk/cilk.h>

static long ackermann(long m, long n) {
  if (m == 0)
    return n + 1;
  if (n == 0)
    return ackermann(m - 1, 1);
  long inner = cilk_spawn ackermann(m, n - 1);
  cilk_sync;
  return ackermann(m - 1, inner);
}

/// A way of `length` steps, each taken after the one before it.
static uint64_t walk(int length, uint64_t from) {
  if (length == 0)
    return from;
  uint64_t end = cilk_spawn walk(length - 1, scramble(from));
  cilk_sync;
  return end ^ (uint64_t)length;
}

/// What the nodes of a tree do, in order, to one number.
static void inOrder(int height, uint64_t node, uint64_t *state) {
  if (height == 0) {
    *state = scramble(*state + node);
    return;
  }
  for (int i = 0; i < 2; ++i) {
    cilk_spawn inOrder(height - 1, 2 * node + i, state);
    cilk_sync;
  }
}

/// Leaves of a tree.
static long count(int height) {
  if (height == 0)
    return 1;
  long left = cilk_spawn count(height - 1);
  long right = count(height - 1);
  cilk_sync;
  return left + right;
}

int main(int argc, char **argv) {
  long n = argument(argc, argv, 1, 3);
  int length = (int)argument(argc, argv, 2, 200);
  int height = (int)argument(argc, argv, 3, 8);
  uint64_t end = 0, state = 0;
  stopwatch watch = stopwatch_start();
  long steps = ackermann(3, n);
  for (int i = 0; i < length; ++i)
    end += walk(length, i);
  inOrder(height, 1, &state);
  long leaves = count(height);
  stopwatch_stop(watch);

  CHECK_EQUAL(steps, (1 << (n + 3)) - 3);
  CHECK_EQUAL(leaves, 1 << height);
  uint64_t expected = 0;
  for (int i = 0; i < length; ++i) {
    uint64_t at = i;
    for (int step = 0; step < length; ++step)
      at = scramble(at);
    for (int step = 1; step <= length; ++step)
      at ^= (uint64_t)step;
    expected += at;
  }
  CHECK_EQUAL(end, expected);
  expected = 0;
  for (uint64_t leaf = 1ull << height; leaf < 2ull << height; ++leaf)
    expected = scramble(expected + leaf);
  CHECK_EQUAL(state, expected);
  printf("%ld %016llx %016llx\n", steps, (unsigned long long)end,
         (unsigned long long)state);
  return 0;
}
