// outlined.c - Calls that the runtime cannot make through a pointer are those of a
// function of their own, whose arguments the parent has evaluated.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan %s --emit=markers -o - | FileCheck %s

int f(int);
int g(int, int);
int count(int);

// CHECK-LABEL: define internal i32 @__cilk_block.0(ptr {{.*}}, i32 {{.*}})
// CHECK: atomicrmw add ptr %{{.*}}, i32 %{{.*}} monotonic
// CHECK-LABEL: define{{.*}} void @builtin(
// CHECK: [[COUNT:%.*]] = call i32 @count(
// CHECK-NOT: atomicrmw
// CHECK: call void @__cilk_spawn.1(ptr {{.*}}@__cilk_block.0, ptr {{.*}}, i32 {{.*}}[[COUNT]])
void builtin(int *p, int n) {
  cilk_spawn __atomic_fetch_add(p, count(n), __ATOMIC_RELAXED);
}

// CHECK-LABEL: define internal i32 @__cilk_block.2(i32 {{.*}}, i32 {{.*}})
// CHECK: [[F:%.*]] = call i32 @f(
// CHECK: call i32 @g(i32 {{.*}}[[F]], i32
// CHECK-LABEL: define{{.*}} void @argument(
// CHECK: [[X:%.*]] = call i32 @count(i32 {{.*}}1)
// CHECK: [[Y:%.*]] = call i32 @count(i32 {{.*}}2)
// CHECK-NOT: call i32
// CHECK: call void @__cilk_spawn.3(ptr {{.*}}, ptr {{.*}}@__cilk_block.2, i32 {{.*}}[[X]], i32 {{.*}}[[Y]])
void argument(long *to, int n) { *to = g(cilk_spawn f(count(1)), count(2)); }
