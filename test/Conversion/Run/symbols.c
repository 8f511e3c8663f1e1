/*===- symbols.c - Weak functions, aliases, and names that collide --------===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
// RUN: cilk2chan -fcilk-serialize -w -O1 %s -o %t.serial
// RUN: cilk2chan -w -O0 %s -o %t.0 && cilk2chan -w -O2 %s -o %t.2
// RUN: %t.serial > %t.want
// RUN: %t.0 | diff %t.want -
// RUN: %t.2 | diff %t.want -
// RUN: CHAN_WIDTH=1 CHAN_WORKERS=3 %t.2 | diff %t.want -

// What has taken a name keeps it: the static variable, and the kernel for
// pointers.
// RUN: cilk2chan -w -O2 --emit=mlir %s | FileCheck %s
// CHECK-DAG: chan.kernel @call.0_{{[0-9]+}} consumes @call.entry_{{[0-9]+}}
// CHECK-DAG: chan.kernel @call.0 consumes @call.0.entry
// CHECK-DAG: chan.kernel @weak.weak.0 consumes @weak.weak.entry
// CHECK-DAG: chan.kernel @aliased.0 consumes @aliased.entry

#include <stdio.h>

static int next(int x) { return x + 1; }

// Kernels are called NAME.0, NAME.1 and so on; those for pointers call.N.
static int call(int n) {
  static int entry;
  entry = 1;
  if (n < 1)
    return entry;
  int (*f)(int) = next;
  int a = cilk_spawn call(n - 1), b = cilk_spawn f(n);
  cilk_sync;
  return a + b + entry;
}

__attribute__((weak)) int weak(int n) {
  if (n < 2)
    return n;
  int a = cilk_spawn weak(n - 1), b = weak(n - 2);
  cilk_sync;
  return a + b;
}

int strong(int n) {
  int a = cilk_spawn next(n), b = cilk_spawn weak(n);
  cilk_sync;
  return a + b;
}
int alias(int) __attribute__((alias("strong")));

static int aliased(int n) {
  int a = cilk_spawn alias(n), b = alias(n);
  cilk_sync;
  return a + b;
}

// An object without size whose address is known.
static int empty(int n) {
  struct {
  } e;
  void *volatile p = &e;
  cilk_sync;
  return n + (p == 0);
}

int main(void) {
  printf("%d %d %d %d\n", call(6), weak(12), aliased(9), empty(3));
}
