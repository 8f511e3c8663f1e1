//===- wild-early-return.c - Returns before any spawn -------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// "Early return before any spawn", between spawns, and from inside a loop that
// has children outstanding.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>

static int calls[64];

static int touch(int i) {
  calls[i]++;
  return i;
}

static int steps(int n) {
  if (n < 0)
    return -1;
  if (n == 0)
    return 0;
  int a = cilk_spawn touch(n);
  if (n == 1)
    return a;
  int b = cilk_spawn steps(n - 2);
  if (n % 7 == 0)
    return a - b;
  cilk_sync;
  if (b > 40)
    return b;
  return a + b;
}

static int steps_serially(int n) {
  if (n <= 0)
    return n < 0 ? -1 : 0;
  if (n == 1)
    return 1;
  int b = steps_serially(n - 2);
  return n % 7 == 0 ? n - b : b > 40 ? b : n + b;
}

static int loop(int stop) {
  for (int i = 0; i < 64; ++i) {
    if (i == stop)
      return i * 2;
    cilk_spawn touch(i);
  }
  return -1;
}

static void nothing(int n) {
  if (n)
    return;
  cilk_spawn touch(63);
}

int main(void) {
  for (int n = -1; n < 50; ++n)
    CHECK_EQUAL(steps(n), steps_serially(n));
  for (int i = 0; i < 64; ++i)
    calls[i] = 0;
  CHECK_EQUAL(loop(30), 60);
  CHECK_EQUAL(loop(0), 0);
  CHECK_EQUAL(loop(100), -1);
  for (int i = 0; i < 64; ++i)
    CHECK_EQUAL(calls[i], i < 30 ? 2 : 1);
  nothing(1);
  nothing(0);
  CHECK_EQUAL(calls[63], 2);
  printf("%d\n", steps(49));
  return 0;
}
