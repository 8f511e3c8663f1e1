// tuning-constants.c - A hidden option changes a constant of a heuristic.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -O2 -march=x86-64-v3 -Rpass=chan-simd -c %s -o t.o 2>&1 | FileCheck --check-prefix=LANES %s
// RUN: cilk2chan -O2 -march=x86-64-v3 -mllvm -chan-simd-least-gain=100 -Rpass-missed=chan-simd -c %s -o t.o 2>&1 | FileCheck %s
// LANES: treats 8 elements at a time
// CHECK: is not used for batches: {{.*}}, which is too little gain
int fib(int n) {
  if (n < 2)
    return n;
  int a = cilk_spawn fib(n - 1);
  int b = cilk_spawn fib(n - 2);
  cilk_sync;
  return a + b;
}
