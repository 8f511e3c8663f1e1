//===- batch-limits.c - Batches without end, and without a floor --*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recursive functions whose activations run in batches: one with a hundred
// million children, one a million deep, and one that is both a chain and wide.
//
//===----------------------------------------------------------------------===//
// ARGS: 100000000 1000000
// MAXRSS-MB: 512
// TIMEOUT: 60
// VGIW-ARGS: 5000 300

#include "../Support/check.h"
#include <cilk/cilk.h>

/* Of its children, as many as are odd. */
static long flood(unsigned number, unsigned children) {
  long odd = children ? 0 : number & 1;
  for (unsigned i = 0; i < children; ++i)
    odd += cilk_spawn flood(i, 0);
  cilk_sync;
  return odd;
}

/* Not a sum of what activations have by themselves. */
static long alternate(unsigned number, unsigned children) {
  if (!children)
    return number & 1 ? -3 : 5;
  long all = 0;
  for (unsigned i = 0; i < children; ++i)
    all -= cilk_spawn alternate(i, 0);
  cilk_sync;
  return all;
}

static long chain(long length) {
  if (length == 0)
    return 0;
  long below = cilk_spawn chain(length - 1);
  cilk_sync;
  return below / 2 + length;
}

/* At each of its nodes hangs a short one. */
static long comb(long length) {
  if (length <= 0)
    return 1;
  long side = cilk_spawn comb(length % 7 ? 0 : 3);
  long below = cilk_spawn comb(length - 1);
  cilk_sync;
  return side + below;
}

int main(int argc, char **argv) {
  long many = argument(argc, argv, 1, 200000);
  long deep = argument(argc, argv, 2, 20000);
  CHECK_EQUAL(flood(0, many), many / 2);
  CHECK_EQUAL(alternate(0, many), -many);
  long below = 0;
  for (long i = 1; i <= deep; ++i)
    below = below / 2 + i;
  CHECK_EQUAL(chain(deep), below);
  CHECK_EQUAL(comb(deep), deep + 1 + deep / 7 * 3);
  printf("%ld children, %ld deep\n", many, deep);
  return 0;
}
