//===- bitint-by-value.c - Integers too wide for registers --------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// _BitInt parameters and results that C passes in memory.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>

typedef unsigned _BitInt(200) wide;

static wide product(int from, int to, wide first) {
  if (to - from < 2)
    return from < to ? first * from : first;
  int middle = from + (to - from) / 2;
  wide low = cilk_spawn product(from, middle, first);
  wide high = product(middle, to, 1);
  cilk_sync;
  return low * high;
}

int main(void) {
  wide expected = 3;
  for (int i = 1; i < 35; i++)
    expected *= i;
  CHECK(product(1, 35, 3) == expected);
  return 0;
}
