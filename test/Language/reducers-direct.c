//===- reducers-direct.c - Reducers that need no views ------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums, masks and parities of integers, updated in every spelling, in recursion,
// in parallel loops and behind them, in local, static and global variables, and
// in elements of arrays whose index is known only when the program runs.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// VGIW-SAMPLE: yes
// VGIW-ARGS: 8 500

#include "../Support/check.h"
#include <cilk/cilk.h>

#define SUM(T)                                                                 \
  static void zero_##T(void *view) { *(T *)view = 0; }                         \
  static void add_##T(void *left, void *right) { *(T *)left += *(T *)right; }
typedef unsigned char byte;
SUM(long) SUM(int) SUM(short) SUM(byte) static void ones(void *view) {
  *(unsigned *)view = ~0u;
}
static void and(void *left, void *right) {
  *(unsigned *)left = *(unsigned *)right & *(unsigned *)left;
}
static void none(void *view) { *(unsigned *)view = 0; }
static void or(void *left, void *right) {
  unsigned *all = left;
  *all |= *(unsigned *)right;
}
static void xor(void *left, void *right) {
  *(unsigned *)left ^= *(unsigned *)right;
}

static long cilk_reducer(zero_long, add_long) calls;
static int cilk_reducer(zero_int, add_int) leaves = 5;
static short cilk_reducer(zero_short, add_short) narrow;
static byte cilk_reducer(zero_byte, add_byte) tiny;
static unsigned cilk_reducer(ones, and) all = ~0u;
static unsigned cilk_reducer(none, or) any;
static unsigned cilk_reducer(none, xor) odd;
static long cilk_reducer(zero_long, add_long) depths[32];
static struct {
  int tag;
  long cilk_reducer(zero_long, add_long) number;
} record;

static void tree(int n) {
  calls++;
  depths[n] += n;
  record.number += 2 * n;
  if (n < 2) {
    ++leaves;
    narrow += 3 * n;
    tiny -= 1;
    all &= ~(1u << (n + 4));
    any = any | 1u << n;
    odd = 5u ^ odd;
    return;
  }
  cilk_spawn tree(n - 1);
  tree(n - 2);
  calls += 2;
  calls -= 1;
  calls--;
}

static void ternary(int n, int k) {
  if (n == 0) {
    record.number += k;
    any |= 1u << (k & 31);
    return;
  }
  for (int i = 0; i < 3; ++i)
    cilk_spawn ternary(n - 1, k * 3 + i);
}

// All reads are in main, and in what main alone calls.
static long report(void) { return calls + depths[3] + record.number; }

static long loops(const int *values, long n) {
  long cilk_reducer(zero_long, add_long) sum = 3, squares = 0;
  int cilk_reducer(zero_int, add_int) buckets[4] = {1};
  cilk_for (long i = 0; i < n; ++i) {
    sum += values[i];
    for (int k = 0; k < 3; ++k)
      squares -= (long)k * values[i];
    buckets[values[i] & 3]++;
  }
  long total = sum;
  cilk_for (long i = 0; i < n; ++i)
    cilk_for (long k = 0; k < 3; ++k)
      sum += k;
  return total + 7 * squares + 11 * sum + 13 * buckets[0] + 17 * buckets[3];
}

int main(int argc, char **argv) {
  int n = argument(argc, argv, 1, 12);
  long count = argument(argc, argv, 2, 5000);
  tree(n);
  printf("%ld %d %d %d %x %x %x\n", calls, leaves, narrow, tiny, all, any, odd);
  calls = 0;
  tree(5);
  printf("%ld\n", report());
  ternary(n / 2, 1);
  printf("%ld %x\n", report(), any);
  int *values = malloc(count * sizeof *values);
  for (long i = 0; i < count; ++i)
    values[i] = scramble(i) % 1000;
  printf("%ld\n", loops(values, count));
  free(values);
  return 0;
}
