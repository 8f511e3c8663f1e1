/*===- sparse.c - Batches with few elements all along are left to clones --===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
// RUN: cilk2chan -O2 -fchan-stats %s -o %t
// RUN: CHAN_WORKERS=1 CHAN_STATS=%t.stats %t | FileCheck --check-prefix=RESULT %s
// RUN: FileCheck --check-prefix=STATS %s < %t.stats
// RUN: CHAN_WORKERS=1 CHAN_STATS=%t.stats %t wide | FileCheck --check-prefix=WIDE %s
// RUN: FileCheck --check-prefix=LANES %s < %t.stats
#include <cilk/cilk.h>
#include <stdio.h>

// A chain, at each link of which two small trees hang: as batches, all of them
// together have fewer than three elements a level.
static long chain(long n) {
  if (n < 2)
    return 1;
  long before = chain(n - 1) % n;
  long x = cilk_spawn chain(n / 2);
  long y = cilk_spawn chain(n / 3);
  cilk_sync;
  return before + x - y;
}

static long fib(int n) {
  if (n < 2)
    return n;
  long x = cilk_spawn fib(n - 1);
  long y = cilk_spawn fib(n - 2);
  cilk_sync;
  return 3 * x - y;
}

// Most of the first tree is run by clones, and what follows is not.
// RESULT: {{^}}[[CHAIN:-?[0-9]+]] [[CHAIN]]{{$}}
// STATS: tasks by kernels, {{[0-9]{1,5} }}in batches,
// WIDE: {{^}}[[CHAIN:-?[0-9]+]] [[CHAIN]]{{$}}
// WIDE: {{^}}[[FIB:-?[0-9]+]]{{$}}
// LANES: tasks by kernels, {{1[34][0-9]{5} }}in batches,
int main(int argc, char **argv) {
  (void)argv;
  volatile long length = 150;
  printf("%ld ", chain(length));
  printf("%ld\n", chain(length));
  if (argc > 1)
    printf("%ld\n", fib(30));
  return 0;
}
