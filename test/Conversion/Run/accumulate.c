/*===- accumulate.c - Results that are only combined ----------------------===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
// RUN: cilk2chan -w -fcilk-serialize -O1 %s -o %t.serial
// RUN: %t.serial > %t.want
// RUN: cilk2chan -w -O2 -march=x86-64-v2 -fchan-batch -fchan-lanes=2 %s -o %t.2
// RUN: CHAN_WORKERS=1 CHAN_STATS=%t.stats %t.2 | diff %t.want -
// RUN: FileCheck %s --check-prefix=STATS < %t.stats
// RUN: CHAN_WORKERS=8 CHAN_WIDTH=1 %t.2 | diff %t.want -
// RUN: cilk2chan -w -O1 -march=native -fchan-batch -fchan-lanes=16 %s -o %t.16
// RUN: CHAN_WORKERS=1 CHAN_WIDTH=65 %t.16 | diff %t.want -
// RUN: CHAN_WORKERS=8 %t.16 | diff %t.want -
// RUN: cilk2chan -w -O1 -march=native -fchan-batch -fchan-lanes=64 -fno-chan-serial-clones %s -o %t.64
// RUN: CHAN_WORKERS=1 %t.64 | diff %t.want -
// RUN: CHAN_WORKERS=4 CHAN_WIDTH=100 %t.64 | diff %t.want -
// RUN: cilk2chan -w -O2 -fchan-batch %s -o %t.chosen
// RUN: CHAN_WORKERS=1 %t.chosen | diff %t.want -
// RUN: CHAN_WORKERS=2 %t.chosen | diff %t.want -

// Several small trees at once have phases instead.
// STATS: {{^}}bits.0 {{ *}}reduction {{ *}}all
// STATS: {{^}}brightest.0 {{ *}}phase 0 {{ *}}all
// STATS: {{^}}bytes.0 {{ *}}reduction {{ *}}all
// STATS: {{^}}chain.0 {{ *}}reduction {{ *}}all
// STATS: {{^}}cut.0 {{ *}}phase 0 {{ *}}all
// STATS: {{^}}each.0 {{ *}}reduction {{ *}}all
// STATS: {{^}}even.0 {{ *}}reduction {{ *}}all
// STATS: {{^}}factors.0 {{ *}}reduction {{ *}}all
// STATS: {{^}}greatest.0 {{ *}}reduction {{ *}}all
// STATS: {{^}}highest.0 {{ *}}reduction {{ *}}all
// STATS: {{^}}lowest.0 {{ *}}reduction {{ *}}all
// STATS: {{^}}many.0 {{ *}}reduction {{ *}}all
// STATS: {{^}}negative.0 {{ *}}reduction {{ *}}all
// STATS: {{^}}small.0 {{ *}}phase 0 {{ *}}all
// STATS: {{^}}smallest.0 {{ *}}reduction {{ *}}all
// STATS: {{^}}sum.0 {{ *}}reduction {{ *}}all
// STATS: {{^}}total.0 {{ *}}reduction {{ *}}all
// STATS: {{^}}wide.0 {{ *}}reduction {{ *}}all

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint32_t mix(uint32_t x) {
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}

/* Two children, one by a plain call, and a part of its own after the sync. */
static int sum(int n) {
  if (n < 2)
    return 2 * n - 1;
  int x = cilk_spawn sum(n - 1);
  int y = sum(n - 2);
  cilk_sync;
  return x - 3 + y + n;
}

/* Sums that overflow their type, which unsigned ones may. */
static uint8_t bytes(unsigned seed, int depth) {
  if (depth == 0)
    return seed >> 3;
  uint8_t x = cilk_spawn bytes(mix(seed), depth - 1);
  uint8_t y = cilk_spawn bytes(mix(seed + 1), depth - 1);
  cilk_sync;
  return x + y + seed;
}

static uint16_t factors(unsigned seed, int depth) {
  if (depth == 0)
    return seed | 1;
  uint16_t product = 3;
  for (unsigned i = 0; i < 1 + seed % 3; ++i)
    product *= cilk_spawn factors(mix(seed + i), depth - 1);
  cilk_sync;
  return product;
}

static uint64_t bits(uint64_t seed, int depth, int kind) {
  uint64_t own = seed * 0x9e3779b97f4a7c15u;
  own ^= own >> 29;
  if (depth == 0)
    return own;
  uint64_t x = 0;
  x = cilk_spawn bits(own, depth - 1, kind);
  uint64_t y = 0;
  if (own & 1 << kind)
    y = cilk_spawn bits(own + 1, depth - 1, kind);
  cilk_sync;
  return x ^ y ^ own;
}

static unsigned every(unsigned seed, int depth) {
  unsigned all = seed | 0xffff0000;
  if (depth > 0) {
    all &= cilk_spawn every(mix(seed) | 0xf0f0, depth - 1);
    all &= cilk_spawn every(mix(seed + 1) | 0x0ff0, depth - 1);
  }
  cilk_sync;
  return all;
}

static unsigned any(unsigned seed, int depth) {
  unsigned some = seed & 0x00010001;
  if (depth > 0) {
    some |= cilk_spawn any(mix(seed), depth - 1);
    some |= cilk_spawn any(seed >> 1, depth - 1);
  }
  cilk_sync;
  return some;
}

/* Variables in place of compound assignments. */
static unsigned each(unsigned seed, int depth) {
  if (depth == 0)
    return seed | 0x00f0;
  unsigned x = cilk_spawn each(mix(seed) | 0xff80, depth - 1);
  unsigned y = cilk_spawn each(seed | 0x7f1, depth - 1);
  cilk_sync;
  return x & y & (seed | 0xf0);
}

static unsigned times(unsigned seed, int depth) {
  if (depth == 0)
    return seed | 1;
  unsigned x = cilk_spawn times(mix(seed), depth - 1);
  unsigned y = cilk_spawn times(seed + 1, depth - 1);
  cilk_sync;
  return x * y * (seed | 1);
}

/* Less than all of what children return: has phases. */
static int cut(int n) {
  if (n < 2)
    return 70000 * n + 40000;
  int all = n;
  all += (short)cilk_spawn cut(n - 1);
  all += (short)cilk_spawn cut(n - 2);
  cilk_sync;
  return all;
}

/* The best of all, and of what there is by itself. */
#define EXTREMUM(name, type, better)                                           \
  static type name(unsigned seed, int depth) {                                 \
    type own = (type)(seed * 0x9e3779b97f4a7c15u);                             \
    if (depth <= 0)                                                            \
      return own;                                                              \
    type x = cilk_spawn name(mix(seed), depth - 1);                            \
    type y = cilk_spawn name(mix(seed + 1), depth - 2);                        \
    cilk_sync;                                                                 \
    type z = x better y ? x : y;                                               \
    return z better own ? z : own;                                             \
  }
EXTREMUM(greatest, int, >)
EXTREMUM(smallest, long, <)
EXTREMUM(highest, unsigned long, >)
EXTREMUM(lowest, unsigned, <)
/* Compared as int. */
EXTREMUM(brightest, unsigned char, >)

/* All lanes combine the same. */
#define ALIKE(name, type, operator)                                            \
  static type name(int n, unsigned seed) {                                     \
    if (n < 2 || seed % 5 == 0)                                                \
      return 3 * n + 40;                                                       \
    type x = cilk_spawn name(n - 1, mix(seed));                                \
    type y = cilk_spawn name(n - 1, mix(seed + 1));                            \
    cilk_sync;                                                                 \
    return x operator y operator n;                                            \
  }
ALIKE(sums, unsigned char, +)
ALIKE(longs, long, +)
ALIKE(powers, unsigned, *)
ALIKE(masks, int, &)
ALIKE(parities, unsigned, ^)

/* Where there is none, what there is before. */
static int negative(int n) {
  if (n < 5)
    return -n;
  int x = -1000000, y = -1000000;
  if (n % 3)
    x = cilk_spawn negative(n - 1);
  y = negative(n - 2);
  cilk_sync;
  if (x > y)
    return x;
  return y;
}

/* Unbalanced, with many children or none. */
static long total(unsigned seed, int depth) {
  long all = seed & 15;
  int children = depth == 0 ? 0 : __builtin_ctz(seed | 0x40);
  for (int i = 0; i < 2 * children; ++i)
    all += cilk_spawn total(mix(seed + i), depth - 1);
  cilk_sync;
  return all;
}

/* Long and thin: deeper than batches go. */
static long chain(int n) {
  if (n == 0)
    return 1;
  long x = cilk_spawn chain(n - 1);
  cilk_sync;
  return x + n % 7;
}

/* A thousand children at once, in the midst of a group. */
static int wide(int depth, int n) {
  if (depth == 0)
    return n & 3;
  int all = 1;
  for (int i = 0; i < n; ++i)
    all += cilk_spawn wide(depth - 1, n - i);
  cilk_sync;
  return all;
}

static int odd(int n);
static int even(int n) {
  if (n <= 0)
    return 1;
  int x = cilk_spawn odd(n - 1);
  int y = cilk_spawn odd(n - 2);
  cilk_sync;
  return x + y;
}
static int odd(int n) {
  if (n <= 0)
    return 100;
  int x = cilk_spawn even(n - 1);
  int y = cilk_spawn even(n - 3);
  cilk_sync;
  return y + x;
}

/* Reads after the sync what nobody writes. */
static const int weights[8] = {5, 1, 4, 1, 5, 9, 2, 6};
static int many(int n) {
  if (n < 3)
    return weights[n];
  int all = 0;
  for (int i = 1; i < 4; ++i)
    all += cilk_spawn many(n - i);
  cilk_sync;
  return all + weights[n & 7];
}

/* Many small trees at once, each with a result of its own. */
static int small(int n) {
  if (n < 2)
    return n;
  int x = cilk_spawn small(n - 1);
  int y = cilk_spawn small(n - 2);
  cilk_sync;
  return x + y;
}

/* Has no such result: its children's are apart. */
static int ways(int n, int *results) {
  for (int i = 0; i < n; ++i)
    results[i] = cilk_spawn small(i % 12);
  cilk_sync;
  int all = 0;
  for (int i = 0; i < n; ++i)
    all = 31 * all + results[i];
  return all;
}

int main(void) {
  printf("%d %d\n", sum(1), sum(24));
  printf("%d\n", bytes(1, 14));
  printf("%d\n", factors(5, 13));
  for (int kind = 0; kind < 3; ++kind)
    printf("%llx\n", (unsigned long long)bits(kind, 24, kind));
  printf("%x %x\n", every(-1, 3), every(0xfffffff7, 12));
  printf("%x\n", any(0x10000, 13));
  printf("%x %x\n", each(0xffffff7f, 12), times(3, 12));
  printf("%d\n", cut(20));
  printf("%d %ld %u\n", sums(15, 1), longs(15, 2), powers(15, 3));
  printf("%d %u\n", masks(15, 4), parities(14, 5));
  printf("%d %ld\n", greatest(1, 14), smallest(2, 14));
  printf("%lu %u\n", highest(1, 14), lowest(2, 14));
  printf("%d %d\n", brightest(9, 6), negative(30));
  printf("%ld\n", total(0x12345640, 8));
  printf("%ld %ld\n", chain(300), chain(20000));
  printf("%d %d\n", wide(1, 5000), wide(3, 60));
  printf("%d\n", even(30));
  printf("%d\n", many(18));
  static int results[3000];
  printf("%d\n", ways(3000, results));
  return 0;
}
