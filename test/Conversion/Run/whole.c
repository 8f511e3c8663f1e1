/*===- whole.c - On a call cycle, but with nothing to be split at ---------===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
// RUN: cilk2chan -fcilk-serialize -w -O1 %s -o %t.serial
// RUN: cilk2chan -w -O0 %s -o %t.0 && cilk2chan -w -O2 -g %s -o %t.2
// RUN: %t.serial > %t.want
// RUN: %t.0 | diff %t.want -
// RUN: %t.2 | diff %t.want -
// RUN: CHAN_WIDTH=1 CHAN_WORKERS=3 %t.2 | diff %t.want -

// Only what has a spawn, or a call to be split at, has kernels.
// RUN: cilk2chan -w -O2 --emit=mlir %s | FileCheck %s --implicit-check-not='chan.kernel @{{by|never}}'
// CHECK-DAG: chan.kernel @between.1 consumes @between.after1
// CHECK-DAG: chan.kernel @spawning.1 consumes @spawning.after1

#include <stdio.h>

// These go back to the spawning function by an alias and by another type, which
// is a call of its C symbol: they stay as they are.
long spawning(int n);
long other_name(int n) __attribute__((alias("spawning")));
static long by_alias(int n) { return other_name(n - 1) + 1; }
long by_type(int n) { return ((long (*)(long))spawning)(n - 2) + 2; }

// On a cycle only through a function that cannot be split.
static long between(int n) { return spawning(n - 1) + 3; }
long never_split(int n) {
  __asm__ goto("" : : : : out);
out:
  return between(n);
}

long spawning(int n) {
  if (n < 2)
    return n;
  long a = cilk_spawn by_alias(n), b = cilk_spawn by_type(n);
  long c = n % 3 ? 0 : never_split(n);
  cilk_sync;
  return a + b + c;
}

int main(void) { printf("%ld\n", spawning(14)); }
