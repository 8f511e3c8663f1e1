// fold-polls.c - Serial clones compare with limits in memory.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -O2 -Werror -fno-chan-batch -march=x86-64 -S %s -o - | FileCheck %s

#include <cilk/cilk.h>

// CHECK-LABEL: fib.serial.body:
// CHECK-NOT: 528(%r13), %r
// CHECK: cmpq 528(%r13), %rsp
// CHECK: .size
long fib(int n) {
  if (n < 2)
    return n;
  long x = cilk_spawn fib(n - 1);
  long y = fib(n - 2);
  cilk_sync;
  return x + y;
}
