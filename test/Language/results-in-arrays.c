// results-in-arrays.c - Results of children in arrays, of all widths.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Lanes have their arrays side by side, part by part, if all that is done to
// them is of one size: then one address says where the results of a group go,
// if all go to the same element, and else each has its own.
// SANITIZE: yes

#include <cilk/cilk.h>
#include <stdio.h>
#include <string.h>

static unsigned mix(unsigned seed, unsigned more) {
  seed = (seed ^ more) * 0x9e3779b1u;
  return seed ^ seed >> 15;
}

// One array of each type, that begins as `FILL` says; children's results go to
// element `AT` of it, which may be another one in each lane.
#define FUNCTION(name, type, FILL, AT, STEP)                                   \
  static type name(int depth, unsigned seed) {                                 \
    if (depth == 0)                                                            \
      return (type)(seed % 251);                                               \
    FILL;                                                                      \
    int n = 1 + seed % 5;                                                      \
    for (int i = 0; i < n; i += STEP)                                          \
      a[AT] = cilk_spawn name(depth - 1, mix(seed, i));                        \
    cilk_sync;                                                                 \
    type sum = (type)(seed % 7);                                               \
    for (int i = 0; i < 5; i++)                                                \
      sum = (type)(sum * 3 + a[i]);                                            \
    return sum;                                                                \
  }
#define ZEROES(type) type a[5] = {0}
#define ONES(type)                                                             \
  type a[5];                                                                   \
  memset(a, 1, sizeof a)
#define NUMBERS(type) type a[5] = {1, 2, 3, 4, 5}
#define EACH(type)                                                             \
  type a[5];                                                                   \
  for (int i = 0; i < 5; i++)                                                  \
  a[i] = (type)(i + seed % 3)
#define SKIP (1 + (seed >> i & 1))

FUNCTION(chars, unsigned char, ZEROES(unsigned char), i, 1)
FUNCTION(shorts, short, NUMBERS(short), i, 1)
FUNCTION(ints, unsigned, ONES(unsigned), i, 1)
FUNCTION(longs, unsigned long, NUMBERS(unsigned long), i, 1)
FUNCTION(floats, float, ZEROES(float), i, 1)
FUNCTION(doubles, double, EACH(double), i, 1)
FUNCTION(chars_each, signed char, NUMBERS(signed char), (i + seed) % 5, 1)
FUNCTION(shorts_each, unsigned short, ONES(unsigned short), 4 - i, SKIP)
FUNCTION(ints_each, unsigned, ZEROES(unsigned), (i + seed) % 5, 1)
FUNCTION(longs_each, unsigned long, EACH(unsigned long), i, SKIP)
FUNCTION(floats_each, float, NUMBERS(float), (i + seed) % 5, 1)
FUNCTION(doubles_each, double, ZEROES(double), i, SKIP)
FUNCTION(booleans, _Bool, ZEROES(_Bool), i, 1)

static const char *const words[] = {"to", "be", "or", "not", "two", "bees"};

// Pointers, which are compared and read.
static const char *longest(int depth, unsigned seed) {
  const char *found[4] = {0};
  if (depth == 0)
    return words[seed % 6];
  for (int i = 0; i < 4 - (int)(seed % 3); i++)
    found[i] = cilk_spawn longest(depth - 1, mix(seed, i));
  cilk_sync;
  const char *best = words[seed % 6];
  for (int i = 0; i < 4; i++)
    if (found[i] && found[i][1] > best[1])
      best = found[i];
  return best;
}

// Some go to one element, some to each lane's own.
static int both(int depth, unsigned seed) {
  int a[4] = {9, 8, 7, 6};
  if (depth == 0)
    return seed & 255;
  for (int i = 0; i < 2; i++)
    a[i] = cilk_spawn both(depth - 1, mix(seed, i));
  for (int i = 0; i < (int)(seed & 1); i++)
    a[2 + (seed >> 4 & 1)] = cilk_spawn both(depth - 1, mix(seed, i + 9));
  cilk_sync;
  return a[0] + 2 * a[1] - 3 * a[2] ^ a[3];
}

// One place in the program, several objects.
static unsigned chosen(int depth, unsigned seed) {
  unsigned a[3] = {1, 2, 3}, b[3] = {4, 5, 6};
  if (depth == 0)
    return seed & 127;
  for (int i = 0; i < 3; i++) {
    unsigned *to = seed >> i & 1 ? a : b;
    to[i] = cilk_spawn chosen(depth - 1, mix(seed, i));
  }
  cilk_sync;
  unsigned sum = 0;
  for (int i = 0; i < 3; i++)
    sum = sum * 5 + (a[i] ^ b[i] << 1);
  return sum;
}

// What is there is combined with what comes.
static unsigned combined(int depth, unsigned seed) {
  unsigned a[3] = {7, 11, 13};
  if (depth == 0)
    return seed & 63;
  for (int i = 0; i < 3 + (int)(seed & 1); i++)
    a[i % 3] += cilk_spawn combined(depth - 1, mix(seed, i));
  cilk_sync;
  return (a[0] << 1) + (a[1] ^ a[2]);
}

// Parts of several sizes, so each lane has its array by itself.
static unsigned mixed(int depth, unsigned seed) {
  union {
    unsigned words[3];
    unsigned char bytes[12];
  } a;
  memset(&a, 0x5a, sizeof a);
  if (depth == 0)
    return seed & 0xffff;
  for (int i = 0; i < 3; i++)
    a.words[i] = cilk_spawn mixed(depth - 1, mix(seed, i));
  cilk_sync;
  unsigned sum = 0;
  for (int i = 0; i < 12; i++)
    sum = sum * 7 + a.bytes[i];
  return sum;
}

// Filled again between syncs, in part and with what is not known before.
static unsigned again(int depth, unsigned seed) {
  unsigned a[6] = {0};
  if (depth == 0)
    return seed & 31;
  for (int i = 0; i < 2; i++)
    a[i] = cilk_spawn again(depth - 1, mix(seed, i));
  cilk_sync;
  unsigned sum = a[0] + a[1] * 2;
  memset(a + 1, seed & 1 ? 3 : 0, 4 * sizeof *a);
  for (int i = 0; i < (int)(seed % 3); i++)
    a[2 + i] = cilk_spawn again(depth - 2 > 0 ? depth - 2 : 0, mix(seed, i));
  cilk_sync;
  for (int i = 0; i < 6; i++)
    sum = sum * 3 + a[i];
  return sum;
}

// A part of an element is filled.
static unsigned halves(int depth, unsigned seed) {
  unsigned a[4];
  if (depth == 0)
    return seed;
  for (int i = 0; i < 4; i++)
    a[i] = seed + i;
  memset(a + 1, 0x21, 6);
  for (int i = 0; i < (int)(seed % 3); i++)
    a[i] = cilk_spawn halves(depth - 1, mix(seed, i));
  cilk_sync;
  return a[0] ^ a[1] * 3 ^ a[2] * 5 ^ a[3] * 7;
}

int main(void) {
  for (int depth = 0; depth < 7; depth++) {
    unsigned seed = 1 + depth * 77;
    printf("%d: %d %d %u %lu %.9g %.17g\n", depth, chars(depth, seed),
           shorts(depth, seed), ints(depth, seed), longs(depth, seed),
           floats(depth, seed), doubles(depth, seed));
    printf("  %d %d %u %lu %.9g %.17g %d\n", chars_each(depth, seed),
           shorts_each(depth, seed), ints_each(depth, seed),
           longs_each(depth, seed), floats_each(depth, seed),
           doubles_each(depth, seed), booleans(depth, seed));
    printf("  %u\n", halves(depth, seed));
    printf("  %s %d %u %u %u %u\n", longest(depth, seed), both(depth, seed),
           chosen(depth, seed), combined(depth, seed), mixed(depth, seed),
           again(depth, seed));
  }
  return 0;
}
