//===- call-deep.c - Deep recursion by plain calls ----------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plain calls nest as deep as spawns do where the compiler sees the callee, and
// thousands deep where it goes through a pointer or the C library.
//
//===----------------------------------------------------------------------===//
// ARGS: 300000 10000 500
// MAXRSS-MB: 512
// TIMEOUT: 120
// VGIW-ARGS: 300 20 5

#include "../Support/check.h"
#include <cilk/cilk.h>

static void mark(int *p) { *p = 1; }

static long known(long n) {
  int done = 0;
  if (n == 0)
    return 0;
  cilk_spawn mark(&done);
  long below = known(n - 1);
  cilk_sync;
  return below + done;
}

static long (*volatile hidden)(long);

static long indirect(long n) {
  int done = 0;
  if (n == 0)
    return 0;
  cilk_spawn mark(&done);
  long below = hidden(n - 1);
  cilk_sync;
  return below + done;
}

static long through_library(long n);
static long left;
static int compare(const void *a, const void *b) {
  (void)a;
  (void)b;
  long inner = through_library(*(const long *)a - 1);
  left += inner;
  return 0;
}

static long through_library(long n) {
  int done = 0;
  if (n <= 0)
    return 0;
  long pair[1] = {n};
  cilk_spawn mark(&done);
  bsearch(pair, pair, 1, sizeof *pair, compare);
  cilk_sync;
  return done;
}

int main(int argc, char **argv) {
  long n = argument(argc, argv, 1, 1000);
  CHECK_EQUAL(known(n), n);
  hidden = indirect;
  long m = argument(argc, argv, 2, 100);
  CHECK_EQUAL(indirect(m), m);
  long k = argument(argc, argv, 3, 10);
  long outermost = through_library(k);
  CHECK_EQUAL(left + outermost, k);
  printf("%ld %ld %ld\n", n, m, left);
  return 0;
}
