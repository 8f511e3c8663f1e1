// duplicate-returns.c - The last call of itself is a loop, as in the elision.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -O2 -Werror -fno-chan-batch -S -emit-llvm %s -o - \
// RUN:   | FileCheck %s
// RUN: cilk2chan -Os -Werror -fno-chan-batch -S -emit-llvm %s -o - \
// RUN:   | FileCheck %s --check-prefix=TWICE

// The guard is in front of both calls; behind the second are a sum and the
// return.
// CHECK: define {{.*}} @sum.serial.body
// CHECK-COUNT-1: call {{.*}} @sum.serial.body
// CHECK-NOT: call {{.*}} @sum.serial.body
// CHECK: {{^}}}
// TWICE: define {{.*}} @sum.serial.body
// TWICE-COUNT-2: call {{.*}} @sum.serial.body
static long sum(const int *p, long n) {
  if (n <= 8) {
    long s = 0;
    for (long i = 0; i < n; ++i)
      s += p[i];
    return s;
  }
  long a = cilk_spawn sum(p, n / 2);
  long b = sum(p + n / 2, n - n / 2);
  cilk_sync;
  return a + b;
}
// Behind a call there may be no return at all.
void forever(int n) {
  if (n == 0)
    return;
  cilk_spawn forever(n - 1);
  cilk_sync;
  forever(n - 1);
  for (;;)
    ;
}
long total(const int *p, long n) { return sum(p, n); }
