// bounds.c - What an iteration is told of its control variable.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -O1 --emit=llvm -Wno-cilk %s | FileCheck %s
// RUN: cilk2chan -O1 -g --emit=llvm -Wno-cilk %s | FileCheck %s
// RUN: cilk2chan -O0 --emit=llvm -Wno-cilk %s | FileCheck %s --check-prefix=NONE
// RUN: cilk2chan -O1 -fwrapv --emit=llvm -Wno-cilk %s | FileCheck %s --check-prefix=WRAPS
// RUN: cilk2chan -O2 -S -emit-llvm -Wno-cilk %s -o - | FileCheck %s --check-prefix=FOLDED

// NONE-NOT: llvm.assume

int f(int);
void escape(void *);
int spawns(int);

// What the condition says, of what the body captures anyway.
// CHECK: define internal void @__cilk_body.0(i64 %{{[0-9]*}}, i64 %{{[0-9]*}}, i32 %{{[0-9]*}}, i32 %[[C:[0-9]*]], ptr {{[^,]*}})
// CHECK: %[[N:[0-9]+]] = sext i32 %[[C]] to i64
// CHECK: %[[I:[0-9]+]] = sext i32 %{{[0-9]+}} to i64
// CHECK: %[[FIRST:[0-9]+]] = icmp sge i64 %[[I]], 0
// CHECK: call void @llvm.assume(i1 %[[FIRST]])
// CHECK: %[[LAST:[0-9]+]] = icmp slt i64 %[[I]], %[[N]]
// CHECK: call void @llvm.assume(i1 %[[LAST]])
// FOLDED: define internal {{.*}}@__cilk_body.0(
// FOLDED-NOT: icmp slt i32
// FOLDED: define internal {{.*}}@__cilk_body.1(
void captured(int n, int *p) {
  cilk_for (int i = 0; i < n; i++)
    p[i] = i < n && i >= 0 ? n : f(i);
}

// The next iteration's values are no smaller, as signed or unsigned numbers.
// CHECK: %{{[0-9]+}} = add nuw nsw i64 %{{[0-9]+}}, 1
// CHECK: %{{[0-9]+}} = add nuw nsw i32 %{{[0-9]+}}, 1

// Also of what is computed of that.
// CHECK: define internal void @__cilk_body.1(i64 %{{[0-9]*}}, i64 %{{[0-9]*}}, i32 %{{[0-9]*}}, i32 %[[C:[0-9]*]], ptr {{[^,]*}})
// CHECK: %[[REST:[0-9]+]] = sub nsw i32 %[[C]], 1
// CHECK: %[[LIMIT:[0-9]+]] = sext i32 %[[REST]] to i64
// CHECK: icmp slt i64 %{{[0-9]+}}, %[[LIMIT]]
void computed(int n, int *p) {
  cilk_for (int i = 1; i < n - 1; i++)
    p[i * n] = p[i * n - n] + p[i * n + n];
}

// A limit that nobody else needs is not captured.
// CHECK: define internal void @__cilk_body.2(i64 %{{[0-9]*}}, i64 %{{[0-9]*}}, i32 %{{[0-9]*}}, ptr {{[^,]*}})
// CHECK: icmp sge
// CHECK-NOT: icmp slt
// CHECK: define internal void @__cilk_body.3(
void forgotten(int n, int *p) {
  cilk_for (int i = 0; i < n; i++)
    p[i] = i;
}

// Downwards, and unsigned.
// CHECK: icmp ule i64 %{{[0-9]+}}, 100
// CHECK: icmp ugt i64 %{{[0-9]+}}, 7
// CHECK: define internal void @__cilk_body.4(
void descending(int *p) {
  cilk_for (unsigned i = 100; i > 7; i--)
    p[i] = f(i);
}

// Of the number of iterations there may be more than signed ones.
// CHECK: icmp uge i64
// CHECK: icmp ult i64
// CHECK: %{{[0-9]+}} = add nuw i64 %{{[0-9]+}}, 1
// CHECK: %{{[0-9]+}} = add nuw i64 %{{[0-9]+}}, 3
// CHECK: define internal void @__cilk_body.5(
void sizes(unsigned long m, unsigned long n, int *p) {
  cilk_for (unsigned long i = m; i < n; i += 3)
    p[i] = n;
}

// A variable of fewer bits than the comparison may go round; one that C has no
// such programs for does not.
// CHECK-NOT: llvm.assume
// CHECK: define internal void @__cilk_body.6(
// CHECK: llvm.assume
// WRAPS: define internal void @__cilk_body.6(
// WRAPS-NOT: llvm.assume
// WRAPS: define internal void @__cilk_body.7(
// CHECK: define internal void @__cilk_body.7(
void narrow(int n, int *p) {
  cilk_for (unsigned char i = 5; i < n; i++)
    p[i] = n;
}
void widened(unsigned long n, int *p) {
  cilk_for (int i = 5; i < n; i++)
    p[i] = n;
}

// Nothing of what wraps around, of pointers, or of variables that others have
// the address of.
void others(unsigned n, int *p, int *q) {
  cilk_for (unsigned i = 7; i != n; i++)
    p[i] = n;
  cilk_for (int *i = p; i < q; i++)
    *i = n;
  int i;
  escape(&i);
  cilk_for (i = 0; i < 100; i++)
    p[i] = n;
}

// Where a body is converted, or is in place of its loop, nothing either.
// CHECK-NOT: llvm.assume
// CHECK: define internal void @__cilk_body.10(i64 %{{[0-9]*}}, i64 %{{[0-9]*}}, i32 %{{[0-9]*}}, i32 %{{[0-9]*}}, ptr {{[^,]*}})
// CHECK-NOT: llvm.assume
int converted(int n, int *p) {
  cilk_for (int i = 0; i < n; i++)
    p[i + n] = spawns(n);
  return 0;
}
int spawns(int n) {
  int x = cilk_spawn f(n), y = f(n + 1);
  cilk_sync;
  return x + y;
}
void light(int *p) {
  cilk_for (int i = 0; i < 4; i++)
    p[i] += i;
}

// A limit that is the same constant for all callers needs no capture.
// CHECK: define internal void @__cilk_body.13(i64 range(i64 0, 1000) {{[^,]*}}, i64 range(i64 1, 1001) {{[^,]*}}, i32 %{{[0-9]*}}, ptr {{[^,]*}})
// CHECK: %[[LIMIT:[0-9]+]] = sext i32 1000 to i64
// CHECK: %[[LOW:.*]] = icmp sge i64 %[[I:.*]], 0
// CHECK: call void @llvm.assume(i1 %[[LOW]]){{.*}}!cilk.bound
// CHECK: %[[HIGH:.*]] = icmp slt i64 %[[I]], %[[LIMIT]]
// CHECK: call void @llvm.assume(i1 %[[HIGH]]){{.*}}!cilk.bound
static void fill(int n, int *p) {
  cilk_for (int i = 0; i < n; i++)
    p[i] = i * i;
}
void fills(int *p, int *q) {
  int n = 1000;
  fill(n, p);
  fill(n, q);
}
