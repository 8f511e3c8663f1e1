//===- odd.c - The other file -------------------------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "odd.h"
#include <cilk/cilk.h>

static long again(int n) {
  long a = cilk_spawn even(n);
  cilk_sync;
  return a;
}

long odd(int n) {
  if (n == 0)
    return 1;
  long a = cilk_spawn again(n - 1);
  long b = cilk_spawn ordinary(n, 5);
  cilk_sync;
  return a + b;
}

long ordinary(int n, int factor) { return (long)n * factor; }

static void fill(struct many *all, int first, int last, int factor) {
  if (last - first == 1) {
    all->value[first] = factor * first;
    return;
  }
  cilk_spawn fill(all, first, (first + last) / 2, factor);
  cilk_spawn fill(all, (first + last) / 2, last, factor);
}

struct many make_many(int factor) {
  struct many all;
  cilk_spawn fill(&all, 0, 12, factor);
  cilk_sync;
  return all;
}

long (*choose(int which))(int) { return which ? odd : even; }
