/*===- first.c - What begins trees leaves batches to them -----------------===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
// RUN: cilk2chan -O2 -march=x86-64-v4 --emit=mlir %s | FileCheck --check-prefix=GRAPH %s
// RUN: cilk2chan -O2 %s -o %t
// RUN: CHAN_WORKERS=1 CHAN_STATS=%t.stats %t | FileCheck --check-prefix=RESULT %s
// RUN: FileCheck --check-prefix=STATS %s < %t.stats
// RUN: CHAN_WORKERS=1 CHAN_STATS=%t.stats %t tiny
// RUN: FileCheck --check-prefix=TINY %s < %t.stats
// RUN: cilk2chan -O2 -c -march=x86-64-v4 -Rpass-missed=chan-simd %s -o %t.o 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: cilk2chan -O2 --emit=mlir -Rpass-missed=chan-simd %s -o %t.mlir 2> %t.remarks
// RUN: FileCheck --check-prefix=ANY %s < %t.mlir
// RUN: FileCheck --check-prefix=WITHOUT %s < %t.remarks
#include <cilk/cilk.h>
#include <stdio.h>

static long fib(int n) {
  if (n < 2)
    return n;
  long x = cilk_spawn fib(n - 1);
  long y = cilk_spawn fib(n - 2);
  cilk_sync;
  return x + y;
}

// One of it runs at a time: lanes would have nothing to do. A clone would run
// all of both trees as clones, also where no processor was named.
// REMARK: 'both.batch.0' is not used for batches: few calls of it run at a time, and what it spawns runs in lanes
// GRAPH-NOT: @both.batch
// GRAPH: chan.stack entry @both.entry({{.*}}) function @both :
// STATS: {{^cilk2chan: 3 tasks by kernels, 33[0-9]{4} in batches,}}
__attribute__((noinline)) long both(int n) {
  long x = cilk_spawn fib(n);
  long y = cilk_spawn fib(n + 1);
  cilk_sync;
  return x * 1000 + y;
}

// Where lanes pay on some processors only, none has that clone: there is one
// descriptor for all.
// WITHOUT: 'comb.batch.reduce' is not used for batches: on x86-64, that takes
// ANY: chan.stack entry @combs.entry({{.*}}) function @combs :
static long comb(long length) {
  if (length <= 0)
    return 1;
  long side = cilk_spawn comb(length % 7 ? 0 : 3);
  long below = cilk_spawn comb(length - 1);
  cilk_sync;
  return side + below;
}

long combs(long length) {
  long x = cilk_spawn comb(length);
  long y = cilk_spawn comb(length + 1);
  cilk_sync;
  return x - y;
}

// It has no batch form, with a sync in a loop, and begins batches all the same.
// GRAPH: chan.stack entry @again.entry({{.*}}) function @again :
__attribute__((noinline)) long again(int n, int times) {
  long sum = 0;
  while (times--) {
    long x = cilk_spawn fib(n);
    long y = cilk_spawn fib(n - 1);
    cilk_sync;
    sum += 3 * x + y;
  }
  return sum;
}

// What spawns others too keeps its clone: these might run as kernels else.
// GRAPH: chan.stack entry @more.entry({{.*}}) function @more serial @more.serial :
static long other(volatile int *at) {
  if (*at < 2)
    return *at;
  volatile int less = *at - 1;
  long x = cilk_spawn other(&less);
  cilk_sync;
  return x;
}

long more(int n) {
  volatile int m = n;
  long x = cilk_spawn fib(n);
  long y = cilk_spawn other(&m);
  cilk_sync;
  return x + y;
}

// RESULT: 46443025 195808 16500
int main(int argc, char **argv) {
  (void)argv;
  if (argc > 1) {
    printf("%ld\n", again(3, 10000));
    return 0;
  }
  printf("%ld %ld ", both(24), again(20, 8));
  printf("%ld\n", again(4, 1500));
  return 0;
}

// Trees of a few activations soon are clones.
// TINY: {{^}}cilk2chan: {{[0-9]+}} tasks by kernels, {{[0-9]{1,5} }}in batches, {{[0-9]{5} }}with all their children by serial clones
