//===- library.c - Functions by number ----------------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "library.h"
#include <cilk/cilk.h>

static long fibonacci(long n) {
  if (n < 2)
    return n;
  long x = cilk_spawn fibonacci(n - 1);
  long y = fibonacci(n - 2);
  cilk_sync;
  return x + y;
}

static long twice(long n) { return 2 * n; }

static long count(long n) {
  if (n == 0)
    return 1;
  long rest = cilk_spawn count(n - 1);
  cilk_sync;
  return rest + 1;
}

transformer transformer_at(int index) {
  static const transformer all[Functions] = {fibonacci, twice, count};
  return all[index];
}

long apply_all(transformer f, const long *values, int n) {
  if (n == 1)
    return f(values[0]);
  long x = cilk_spawn apply_all(f, values, n / 2);
  long y = cilk_spawn apply_all(f, values + n / 2, n - n / 2);
  cilk_sync;
  return x + y;
}
