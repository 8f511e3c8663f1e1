//===- mutual-recursion.c - Several functions on one call cycle ---*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutual recursion between spawning functions, with an ordinary helper between
// two recursive calls, which is on the cycle without spawning itself.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>

static long female(int n);
static long male(int n);

/* Hofstadter's pair of sequences. */
static long female(int n) {
  if (n == 0)
    return 1;
  long inner = cilk_spawn female(n - 1);
  cilk_sync;
  long outer = cilk_spawn male((int)inner);
  cilk_sync;
  return n - outer;
}

static long male(int n) {
  if (n == 0)
    return 0;
  long inner = cilk_spawn male(n - 1);
  cilk_sync;
  return n - female((int)inner);
}

static int depth(int n, int kind);

/* Ordinary but for its place on the cycle. */
static int helper(int n, int kind) {
  int before[4] = {n, kind, n + kind, n * kind};
  int result = depth(n - 1, kind ^ 1);
  return result + before[(n + kind) & 3] % 3;
}

static int chooser(int n, int kind) {
  return kind ? helper(n, 0) : depth(n - 1, 1);
}

static int depth(int n, int kind) {
  if (n <= 0)
    return kind;
  int a = cilk_spawn helper(n, kind);
  int b = helper(n - 1, kind);
  int c = cilk_spawn chooser(n - 2, kind);
  cilk_sync;
  return (a > b ? a : b) + c % 2 + 1;
}

static int depth_serially(int n, int kind);
static int helper_serially(int n, int kind) {
  int before[4] = {n, kind, n + kind, n * kind};
  return depth_serially(n - 1, kind ^ 1) + before[(n + kind) & 3] % 3;
}
static int depth_serially(int n, int kind) {
  if (n <= 0)
    return kind;
  int a = helper_serially(n, kind), b = helper_serially(n - 1, kind);
  int c = kind ? helper_serially(n - 2, 0) : depth_serially(n - 3, 1);
  return (a > b ? a : b) + c % 2 + 1;
}

int main(void) {
  static const int females[] = {1, 1, 2, 2, 3, 3, 4, 5, 5, 6};
  static const int males[] = {0, 0, 1, 2, 2, 3, 4, 4, 5, 6};
  for (int n = 0; n < 10; ++n) {
    CHECK_EQUAL(female(n), females[n]);
    CHECK_EQUAL(male(n), males[n]);
  }
  for (int n = 0; n < 14; ++n)
    for (int kind = 0; kind < 2; ++kind)
      CHECK_EQUAL(depth(n, kind), depth_serially(n, kind));
  printf("%ld %d\n", female(14), depth(15, 0));
  return 0;
}
