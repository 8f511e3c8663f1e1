//===- sync-in-inner-loop.c - A counter that two phases have ------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The outer loop's counter is computed where no path leads from the first sync
// to the next one, but lives on across both.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>

static int sum;

static void add(int n) { sum += n; }

static int walk(int rounds) {
  int i = 0;
  while (i++ < rounds)
    for (int j = 0; j < 3; ++j) {
      cilk_spawn add(j);
      cilk_sync;
    }
  return i;
}

int main(void) {
  CHECK_EQUAL(walk(4), 5);
  CHECK_EQUAL(sum, 12);
  return 0;
}
