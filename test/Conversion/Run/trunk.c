/*===- trunk.c - A long recursion with little at its sides ----------------===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
// Another worker wants work all the time, and what there is is over before he
// is awake: he is offered it less and less often (RuntimeOfferGapTest.cpp).
// RUN: cilk2chan -O2 -fno-chan-serial %s -o %t
// RUN: CHAN_WORKERS=2 %t | FileCheck %s
#include <cilk/cilk.h>
#include <stdio.h>

static long comb(long length) {
  if (length <= 0)
    return 1;
  long side = cilk_spawn comb(length % 7 ? 0 : 3);
  long below = cilk_spawn comb(length - 1);
  cilk_sync;
  return side + below;
}

int main(void) {
  // CHECK: 1428572
  printf("%ld\n", comb(1000000));
  return 0;
}
