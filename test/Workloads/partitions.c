//===- partitions.c - Recursion begun by what has no lanes --------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In how many ways numbers are sums, by trees of a few calls and of a million:
// begun by the iterations of a parallel loop, by a serial loop in a function
// that spawns something else as well, and by the leaves of another recursion.
// Checked against a table.
//
//===----------------------------------------------------------------------===//
// BENCH-ARGS: 56 4000000

#include "../Support/check.h"
#include "../Support/stopwatch.h"
#include <cilk/cilk.h>

enum { most = 80 };

/// In how many ways `sum` is one of numbers up to `largest`.
static long ways(int sum, int largest) {
  if (sum <= 0 || largest <= 1)
    return sum == 0 || (sum > 0 && largest == 1);
  long with = cilk_spawn ways(sum - largest, largest);
  long without = ways(sum, largest - 1);
  cilk_sync;
  return with + without;
}

static void mix(uint64_t *into, uint64_t times) {
  for (uint64_t i = 0; i < times; ++i)
    *into = scramble(*into);
}

/// Of small numbers, one after the other, beside something else.
static uint64_t small(long count, long found[8]) {
  uint64_t noise = 0;
  cilk_spawn mix(&noise, 1000);
  for (long i = 0; i < count; ++i)
    found[i % 8] += ways((int)(i % 8), (int)(i % 8));
  cilk_sync;
  return noise;
}

/// Of [begin, end), together.
static long range(int begin, int end) {
  if (end - begin == 1)
    return ways(begin, begin);
  int middle = begin + (end - begin) / 2;
  long first = cilk_spawn range(begin, middle);
  long second = range(middle, end);
  cilk_sync;
  return first + second;
}

int main(int argc, char **argv) {
  int largest = (int)argument(argc, argv, 1, 24);
  long count = argument(argc, argv, 2, 4000);
  CHECK(largest >= 8 && largest < most);
  static long each[most];
  long found[8] = {0};
  stopwatch watch = stopwatch_start();
  cilk_for (int sum = 0; sum <= largest; ++sum)
    each[sum] = ways(sum, sum);
  uint64_t noise = small(count, found);
  long all = range(0, largest);
  stopwatch_stop(watch);

  static long table[most] = {1};
  for (int number = 1; number <= largest; ++number)
    for (int sum = number; sum <= largest; ++sum)
      table[sum] += table[sum - number];
  long sum = 0;
  for (int i = 0; i < largest; ++i)
    sum += table[i];
  printf("%ld %ld\n", each[largest], all);
  for (int i = 0; i <= largest; ++i)
    CHECK_EQUAL(each[i], table[i]);
  CHECK_EQUAL(all, sum);
  for (int i = 0; i < 8; ++i)
    CHECK_EQUAL(found[i], (count / 8 + (i < count % 8)) * table[i]);
  uint64_t expected = 0;
  for (int i = 0; i < 1000; ++i)
    expected = scramble(expected);
  CHECK_EQUAL(noise, expected);
  return 0;
}
