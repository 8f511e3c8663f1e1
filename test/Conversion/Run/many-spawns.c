//===- many-spawns.c - Tallocs of a large kernel share code ---------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan -O2 %s -o %t && %t && env CHAN_WIDTH=2 %t
// RUN: cilk2chan -O2 --emit=llvm %s -o - | FileCheck %s

static long fib(long n) {
  if (n < 2)
    return n;
  long a = cilk_spawn fib(n - 1);
  long b = fib(n - 2);
  cilk_sync;
  return a + b;
}

long known[20], pointed[20];

void many(long (*f)(long)) {
#define ONE(i)                                                                 \
  known[i] = cilk_spawn fib(i);                                                \
  pointed[i] = cilk_spawn f(i);
#define FIVE(i) ONE(i) ONE(i + 1) ONE(i + 2) ONE(i + 3) ONE(i + 4)
  FIVE(0) FIVE(5) FIVE(10) FIVE(15)
  cilk_sync;
}

int main(void) {
  many(fib);
  long a = 0, b = 1;
  for (int i = 0; i < 20; ++i) {
    if (known[i] != a || pointed[i] != a)
      return 1;
    long next = a + b;
    a = b;
    b = next;
  }
  return 0;
}

// Thousands of spawns are one block of the kernel.
// CHECK-LABEL: define internal void @many.0(
// CHECK-NOT: call ptr @chan_
// CHECK: call ptr @many.0.talloc1(
// CHECK-NOT: call ptr @chan_
// CHECK: call ptr @call.0.entry.talloc1(
// CHECK-NOT: call ptr @chan_
// CHECK: ret void
