//===- batch-limits.c - Batches without end, and without a floor --*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recursive functions whose activations run in batches: one with a hundred
// million children, one a million deep, and one that is both a chain and wide.
// Without serial clones, which would take most of it. The children have
// children, or their parent would do their work (guard peel).
//
//===----------------------------------------------------------------------===//
// ARGS: 100000000 1000000
// CFLAGS: -fno-chan-serial-clones
// MAXRSS-MB: 512
// TIMEOUT: 60
// VGIW-ARGS: 5000 300

#include "../Support/check.h"
#include <cilk/cilk.h>

/* The leaves below. */
static long flood(unsigned children, unsigned each) {
  if (!children)
    return 1;
  long leaves = 0;
  for (unsigned i = 0; i < children; ++i)
    leaves += cilk_spawn flood(each, 0);
  cilk_sync;
  return leaves;
}

/* Not a sum of what activations have by themselves. */
static long alternate(unsigned children, unsigned each) {
  if (!children)
    return 1;
  long all = 0;
  for (unsigned i = 0; i < children; ++i)
    all -= cilk_spawn alternate(each, 0);
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
  CHECK_EQUAL(flood(many, 2), 2 * many);
  CHECK_EQUAL(alternate(many, 2), 2 * many);
  long below = 0;
  for (long i = 1; i <= deep; ++i)
    below = below / 2 + i;
  CHECK_EQUAL(chain(deep), below);
  CHECK_EQUAL(comb(deep), deep + 1 + deep / 7 * 3);
  printf("%ld children, %ld deep\n", many, deep);
  return 0;
}
