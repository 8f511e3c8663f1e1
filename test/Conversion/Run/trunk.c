/*===- trunk.c - A long recursion with little at its sides ----------------===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
// Another worker wants work all the time, and what there is is over before he
// is awake. He is offered it less and less often: of a million small children,
// without that more than a hundred thousand.
// RUN: cilk2chan -O2 -fno-chan-serial %s -o %t
// RUN: CHAN_WORKERS=2 CHAN_STATS=%t.stats %t | FileCheck %s
// RUN: awk '$1 == "comb.0" && $2 == "kernel" && $3 == "all" { good = $8 < 40000 } END { exit !good }' %t.stats
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
