//===- sync-phases.c - Several phases -----------------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Three and more phases in one function, values that live across one sync, two
// or all, loops of phases whose number is known at run time only, and syncs
// with nothing outstanding.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>

static long step(long x, long y) { return x * 3 + y; }

static long phases(long n) {
  cilk_sync;
  long first = n + 1, second, third, all = n * 5;
  long a = cilk_spawn step(n, 1);
  cilk_sync;
  second = a + first;
  long b = cilk_spawn step(a, second);
  long c = cilk_spawn step(second, a);
  cilk_sync;
  cilk_sync;
  third = b - c + second;
  long d = 0;
  if (n > 0)
    d = cilk_spawn phases(n - 1);
  long e = cilk_spawn step(third, all);
  cilk_sync;
  return (a ^ b ^ c ^ d ^ e) + all + first;
}

static long phases_serially(long n) {
  long a = step(n, 1), second = a + n + 1;
  long b = step(a, second), c = step(second, a);
  long d = n > 0 ? phases_serially(n - 1) : 0;
  long e = step(b - c + second, n * 5);
  return (a ^ b ^ c ^ d ^ e) + n * 5 + n + 1;
}

/* A reduction in log n phases over one array. */
static long halving(int n) {
  long values[64];
  for (int i = 0; i < n; ++i)
    values[i] = i * i;
  for (int width = n; width > 1; width = (width + 1) / 2) {
    for (int i = 0; i < width / 2; ++i)
      values[i] = cilk_spawn step(values[i], values[width - 1 - i]);
    cilk_sync;
  }
  return values[0];
}

static long halving_serially(int n) {
  long values[64];
  for (int i = 0; i < n; ++i)
    values[i] = i * i;
  for (int width = n; width > 1; width = (width + 1) / 2)
    for (int i = 0; i < width / 2; ++i)
      values[i] = step(values[i], values[width - 1 - i]);
  return values[0];
}

static int only_syncs(int n) {
  cilk_sync;
  if (n)
    cilk_sync;
  return n;
}

int main(void) {
  for (int n = 0; n < 20; ++n)
    CHECK_EQUAL(phases(n), phases_serially(n));
  for (int n = 1; n <= 64; ++n)
    CHECK_EQUAL(halving(n), halving_serially(n));
  CHECK_EQUAL(only_syncs(4), 4);
  printf("%ld %ld\n", phases(25), halving(50));
  return 0;
}
