//===- destination-limits.c - Loops of assignments inside a loop --*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Thousands of activations at one level, each with thousands of children whose
// results wait for its sync: what they need is not the product.
//
//===----------------------------------------------------------------------===//
// ARGS: 2048 4096
// CFLAGS: -fno-chan-serial-clones
// MAXRSS-MB: 128
// VGIW-ARGS: 16 64

#include "../Support/check.h"
#include <cilk/cilk.h>

static int odd(long i) { return (int)(i & 1); }

static long count(long children) {
  long sum = 0;
  for (long i = 0; i < children; ++i)
    sum += cilk_spawn odd(i);
  cilk_sync;
  return sum;
}

static long loops(long times, long children) {
  long sum = 0;
  for (long i = 0; i < times; ++i)
    sum += cilk_spawn count(children);
  cilk_sync;
  return sum;
}

int main(int argc, char **argv) {
  long times = argument(argc, argv, 1, 100);
  long children = argument(argc, argv, 2, 100);
  CHECK_EQUAL(loops(times, children), times * (children / 2));
  printf("%ld loops of %ld\n", times, children);
  return 0;
}
