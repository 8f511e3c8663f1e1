//===- spawn-many-children.c - A loop of ten million spawns -------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A spawn loop with far more children than any channel is wide needs bounded
// memory, with and without results.
//
//===----------------------------------------------------------------------===//
// ARGS: 10000000
// MAXRSS-MB: 64
// TIMEOUT: 120
// VGIW-ARGS: 20000

#include "../Support/check.h"
#include <cilk/cilk.h>

enum { Cells = 1024 };
static unsigned char cells[Cells];

static void touch(long i) {
  if (i < Cells)
    cells[i]++;
}

static void flood(long count) {
  for (long i = 0; i < count; ++i)
    cilk_spawn touch(i);
}

static int is_odd(long i) { return (int)(i & 1); }

static long tally(long count) {
  long odd = 0;
  for (long i = 0; i < count; ++i)
    odd += cilk_spawn is_odd(i);
  cilk_sync;
  return odd;
}

int main(int argc, char **argv) {
  long count = argument(argc, argv, 1, 100000);
  flood(count);
  for (int i = 0; i < Cells; ++i)
    CHECK_EQUAL(cells[i], 1);
  CHECK_EQUAL(tally(count / 10), count / 20);
  printf("%ld children\n", count);
  return 0;
}
