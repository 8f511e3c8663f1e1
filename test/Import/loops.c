// loops.c - Bodies of parallel loops, and what they know of their functions.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -O1 --emit=cilk -Wno-cilk %s | FileCheck %s
// RUN: cilk2chan -O1 --emit=llvm -Wno-cilk %s | FileCheck %s --check-prefix=BODY

void use(int *);
int spawning(int);

// Values of what the body does not change; addresses of what it does; nothing
// of what it has written before it reads.
// CHECK-LABEL: llvm.func @captures(
// CHECK-SAME: %[[N:arg0]]: i32 {{[^,]*}}, %[[K:arg1]]: i32 {{[^,]*}}, %[[P:arg2]]: !llvm.ptr
// CHECK: %[[SUM:.*]] = llvm.alloca {{.*}} x i32
// CHECK: cilk.for @__cilk_body.0({{.*}}) times %{{[^ ]*}} {{.*}}: i32, !llvm.ptr, i32, !llvm.ptr
// BODY: define internal void @__cilk_body.0(i64 %{{.*}}, i64 %{{.*}}, i32 %{{.*}}, ptr %{{.*}}, i32 %{{.*}}, ptr noalias %{{.*}})
int captures(int n, int k, int *p) {
  int sum = 0, scratch = 1;
  cilk_for (int i = 0; i < n; i++) {
    scratch = p[i];
    if (scratch == k)
      sum = i;
  }
  scratch = sum;
  return scratch;
}

// The body of the inner loop is a function of its own, numbered before the outer.
// CHECK-LABEL: llvm.func @nested(
// CHECK: cilk.for @__cilk_body.2(
void nested(int n, int *p) {
  cilk_for (int i = 0; i < n; i++)
    cilk_for (int j = i; j < n; j++)
      p[i * n + j] = i;
}

// A constant stride leaves no doubt that the loop ends.
// CHECK-LABEL: llvm.func @constant(
// CHECK-NOT: chan_endless_loop
// CHECK: cilk.for @__cilk_body.3(
// CHECK: llvm.func @stride(
// CHECK: llvm.call @chan_endless_loop(
// CHECK: cilk.for @__cilk_body.4({{.*}}) times %{{.*}} grain %
void constant(long n, int *p) {
  cilk_for (long i = 0; i < n; i += 3)
    p[i] = 1;
}
void stride(long n, long s, int *p) {
#pragma cilk grainsize 10
  cilk_for (long i = 0; i < n; i += s)
    p[i] = 1;
}

// Calls of spawning functions are split in bodies too.
// CHECK-LABEL: llvm.func @calls(
// CHECK: llvm.func internal @__cilk_body.2(
// CHECK: cilk.for @__cilk_body.1(
// CHECK: llvm.func internal @__cilk_body.6(
// CHECK: cilk.call @known(
static int known(int n) {
  int x = cilk_spawn spawning(n);
  cilk_sync;
  return x;
}
void calls(int n, int *p) {
  cilk_for (int i = 0; i < n; i++)
    p[i] = known(i);
}
