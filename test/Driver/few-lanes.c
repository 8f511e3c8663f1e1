// few-lanes.c - Batches whose later phases few elements come to.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -Wno-cilk -O3 -march=x86-64-v4 -Rpass=chan-simd -Rpass-missed=chan-simd -c %s -o %t.o 2>&1 | FileCheck %s

// Behind the first sync nobody knows any more which children ended before they
// spawned: these are elements, two of three, and lanes without work later.
// CHECK: 'twice.batch.0' is not used for batches: that takes about
// CHECK-NOT: 'twice.{{.*}} elements at a time
long twice(int n, long x) {
  if (n < 1)
    return x & 15;
  long a = cilk_spawn twice(n - 1, x + 1);
  long b = cilk_spawn twice(n - 2, x * 3);
  cilk_sync;
  if (a & 1) {
    a += cilk_spawn twice(n - 3, b);
    cilk_sync;
  }
  return (a ^ b) + n;
}

// Here parents find out.
// CHECK: 'once.batch.0' treats 8 elements at a time
// CHECK: 'once.batch.1' treats 8 elements at a time
long once(int n, long x) {
  if (n < 1)
    return x & 15;
  long a = cilk_spawn once(n - 1, x + 1);
  long b = cilk_spawn once(n - 2, x * 3);
  cilk_sync;
  return (a ^ b) + n;
}
