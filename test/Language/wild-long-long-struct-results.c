//===- wild-long-long-struct-results.c - Wide results -------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// "long long and struct results", through several levels of recursion.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>

struct range {
  long long low, high, sum;
  int count;
};

static long long product(int low, int high) {
  if (low == high)
    return low;
  long long a = cilk_spawn product(low, (low + high) / 2);
  long long b = cilk_spawn product((low + high) / 2 + 1, high);
  cilk_sync;
  return a * b;
}

static struct range survey(const int *values, int count) {
  if (count == 1)
    return (struct range){values[0], values[0], values[0], 1};
  struct range a, b;
  a = cilk_spawn survey(values, count / 2);
  b = cilk_spawn survey(values + count / 2, count - count / 2);
  cilk_sync;
  return (struct range){a.low < b.low ? a.low : b.low,
                        a.high > b.high ? a.high : b.high, a.sum + b.sum,
                        a.count + b.count};
}

int main(void) {
  CHECK_EQUAL(product(1, 20), 2432902008176640000LL);
  enum { Count = 1000 };
  int values[Count];
  long long low = 0, high = 0, sum = 0;
  for (int i = 0; i < Count; ++i) {
    values[i] = (int)(scramble(i) % 2000001) - 1000000;
    low = values[i] < low ? values[i] : low;
    high = values[i] > high ? values[i] : high;
    sum += values[i];
  }
  struct range all = survey(values, Count);
  CHECK_EQUAL(all.low, low);
  CHECK_EQUAL(all.high, high);
  CHECK_EQUAL(all.sum, sum);
  CHECK_EQUAL(all.count, Count);
  printf("%lld to %lld\n", all.low, all.high);
  return 0;
}
