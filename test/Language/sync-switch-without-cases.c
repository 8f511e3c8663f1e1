//===- sync-switch-without-cases.c - A switch that chooses nothing -*- C
//-*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What stands in a switch without a case is reached by a jump only.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>

static int twice(int n) { return 2 * n; }

static int jumpsBack(int n) {
  int total = 1, turn = n;
  switch (n)
  again:
    total += cilk_spawn twice(turn);
  // The values of a switch that has no case go on into this one.
  turn = turn + 1;
  if (turn < n + 4)
    goto again;
  cilk_sync;
  return total;
}

int main(void) {
  // The turns are 5, 6, 7 and the addition before them.
  CHECK(jumpsBack(4) == 1 + 2 * (5 + 6 + 7));
  CHECK(jumpsBack(-2) == 1 + 2 * (-1 + 0 + 1));
  return 0;
}
