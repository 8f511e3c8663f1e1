// glue.c - Kernels that hardly ever run cost little to compile.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -O2 -march=x86-64-v3 -S -emit-llvm %s -o - | FileCheck %s
// One element at a time is for where neither batches nor clones are.
// CHECK: define internal {{.*}}@fib.0({{.*}}) [[GLUE:#[0-9]+]]
// CHECK: define internal {{.*}}@fib.batch.accumulate({{.*}}) [[LANES:#[0-9]+]]
// CHECK-DAG: attributes [[GLUE]] = {{.*}} optnone
// CHECK-DAG: attributes [[LANES]] = {{{[^}]*}}"chan.lanes"

#include <cilk/cilk.h>

int fib(int n) {
  if (n < 2)
    return n;
  int x = cilk_spawn fib(n - 1);
  int y = fib(n - 2);
  cilk_sync;
  return x + y;
}
