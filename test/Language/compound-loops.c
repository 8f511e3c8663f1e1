//===- compound-loops.c - Compound assignments in loops -----------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compound destinations in loops: many more pending than any channel is wide,
// spread over arrays, in nested loops, through pointers, with reads after syncs
// in the loop.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// VGIW-ARGS: 300

#include "../Support/check.h"
#include <cilk/cilk.h>

static int digit_sum(int n) {
  if (n < 10)
    return n;
  int sum = n % 10;
  sum += cilk_spawn digit_sum(n / 10);
  cilk_sync;
  return sum;
}

static int digit_sum_serially(int n) {
  int sum = 0;
  for (; n; n /= 10)
    sum += n % 10;
  return sum;
}

static long total(int n) {
  long sum = 0;
  for (int i = 0; i < n; ++i)
    sum += cilk_spawn digit_sum(i);
  cilk_sync;
  return sum;
}

static void histogram(long *bins, int n) {
  for (int i = 0; i < n; ++i)
    bins[i % 10] += cilk_spawn digit_sum(i);
}

static long waiting(int n) {
  long sum = 0, checks = 0;
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < 3; ++k)
      sum += cilk_spawn digit_sum(i * k);
    if (i % 8 == 7) {
      cilk_sync;
      checks ^= sum;
    }
  }
  cilk_sync;
  return checks ^ sum;
}

static long *place(long *base, int *uses) {
  ++*uses;
  return base;
}

/* The destination's address is evaluated once per spawn. */
static int address_once(long *base, int n) {
  int uses = 0;
  for (int i = 0; i < n; ++i)
    *place(base, &uses) ^= cilk_spawn digit_sum(i);
  cilk_sync;
  return uses;
}

int main(int argc, char **argv) {
  int n = (int)argument(argc, argv, 1, 20000);
  long sum = 0, expected[10] = {0}, bins[10] = {0}, xor = 0, base = 0;
  for (int i = 0; i < n; ++i) {
    sum += digit_sum_serially(i);
    expected[i % 10] += digit_sum_serially(i);
    xor ^= digit_sum_serially(i);
  }
  CHECK_EQUAL(total(n), sum);
  histogram(bins, n);
  for (int i = 0; i < 10; ++i)
    CHECK_EQUAL(bins[i], expected[i]);
  CHECK_EQUAL(address_once(&base, n), n);
  CHECK_EQUAL(base, xor);
  long checks = 0;
  sum = 0;
  for (int i = 0; i < 500; ++i) {
    for (int k = 0; k < 3; ++k)
      sum += digit_sum_serially(i * k);
    if (i % 8 == 7)
      checks ^= sum;
  }
  CHECK_EQUAL(waiting(500), checks ^ sum);
  printf("%ld\n", sum);
  return 0;
}
