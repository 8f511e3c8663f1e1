//===- wild-sixteen-spawns.c - Sixteen spawns in one function -----*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// "Functions of 16 spawns", with one destination each, and each spawn a site of
// its own.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>

static long weigh(int n, long weight) {
  if (n == 0)
    return weight;
  long a = cilk_spawn weigh(n - 1, weight + 1);
  long b = cilk_spawn weigh(n - 1, weight + 2);
  long c = cilk_spawn weigh(n - 1, weight + 3);
  long d = cilk_spawn weigh(n - 1, weight + 4);
  long e = cilk_spawn weigh(n - 1, weight + 5);
  long f = cilk_spawn weigh(n - 1, weight + 6);
  long g = cilk_spawn weigh(n - 1, weight + 7);
  long h = cilk_spawn weigh(n - 1, weight + 8);
  long i = cilk_spawn weigh(n - 1, weight + 9);
  long j = cilk_spawn weigh(n - 1, weight + 10);
  long k = cilk_spawn weigh(n - 1, weight + 11);
  long l = cilk_spawn weigh(n - 1, weight + 12);
  long m = cilk_spawn weigh(n - 1, weight + 13);
  long o = cilk_spawn weigh(n - 1, weight + 14);
  long p = cilk_spawn weigh(n - 1, weight + 15);
  long q = cilk_spawn weigh(n - 1, weight + 16);
  cilk_sync;
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i +
         10 * j + 11 * k + 12 * l + 13 * m + 14 * o + 15 * p + 16 * q;
}

static long weigh_serially(int n, long weight) {
  if (n == 0)
    return weight;
  long sum = 0;
  for (int i = 1; i <= 16; ++i)
    sum += i * weigh_serially(n - 1, weight + i);
  return sum;
}

int main(int argc, char **argv) {
  int n = (int)argument(argc, argv, 1, 3);
  CHECK_EQUAL(weigh(n, 5), weigh_serially(n, 5));
  printf("%ld\n", weigh(n, 1));
  return 0;
}
