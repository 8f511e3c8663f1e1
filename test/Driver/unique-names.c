// unique-names.c - Static functions with names that no other file has.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -funique-internal-linkage-names --emit=llvm %s | FileCheck %s
// RUN: cilk2chan -O2 -funique-internal-linkage-names %s -o %t && %t
// RUN: cilk2chan -O2 -fpseudo-probe-for-profiling %s -o %t && %t

// CHECK-NOT: __cilk_{{child|spawn}}
// CHECK: define internal i32 @[[FIB:_ZL3fibi.__uniq.[0-9]+]](
// CHECK-NOT: __cilk_{{child|spawn}}
// CHECK: define internal void @[[FIB]].0(
static int fib(int n) {
  if (n < 2)
    return n;
  int x[1], y;
  x[0] = spawn fib(n - 1);
  spawn { y = fib(n - 2); };
  sync;
  return x[0] + y;
}

int main(void) { return fib(10) != 55; }
