/*===- tiny-trees.c - Behind small trees, a large one runs in batches ------===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
// RUN: cilk2chan -O2 -fchan-stats %s -o %t
// RUN: CHAN_WORKERS=1 CHAN_STATS=%t.stats %t | FileCheck --check-prefix=RESULT %s
// RUN: FileCheck %s < %t.stats
// RUN: CHAN_WORKERS=1 CHAN_STATS=%t.stats %t nested | FileCheck --check-prefix=RESULT %s
// RUN: FileCheck %s < %t.stats
#include <cilk/cilk.h>
#include <stdio.h>

static long fib(int n) {
  if (n < 2)
    return n;
  long x = cilk_spawn fib(n - 1);
  long y = fib(n - 2);
  cilk_sync;
  return x + y;
}

long (*volatile function)(int) = fib;

// Has no batches: its serial clone calls that of fib by a pointer.
static long small(int times) {
  if (times == 0)
    return 0;
  long rest = cilk_spawn small(times - 1);
  cilk_sync;
  return rest + function(times == 101 ? 30 : 3);
}

// Small ones alone are left to clones; of 1.3 million activations of the large
// one, nearly all are elements of batches.
// RESULT: {{^}}832240{{$}}
// CHECK: tasks by kernels, {{1[34][0-9]{5} }}in batches,
int main(int argc, char **argv) {
  (void)argv;
  long sum = 0;
  if (argc > 1)
    sum = small(101);
  for (int i = 0; argc == 1 && i < 100; ++i)
    sum += fib(3);
  if (argc == 1)
    sum += fib(30);
  printf("%ld\n", sum);
  return 0;
}
