// specialization.c - Functions with loops, for constants of their callers.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -O1 --emit=cilk -Wno-cilk %s | FileCheck %s
// RUN: cilk2chan -O1 -g --emit=cilk -Wno-cilk %s | FileCheck %s
// RUN: cilk2chan -O0 --emit=cilk -Wno-cilk %s | FileCheck %s --check-prefix=WHOLE
// RUN: cilk2chan -O2 -g -c -Wno-cilk %s -o %t.o
// RUN: llvm-nm %t.o | FileCheck %s --check-prefix=SYMBOLS
// RUN: llvm-nm %t.o | FileCheck %s --check-prefix=OTHERS

// RUN: cilk2chan -O2 -Wno-cilk -S -emit-llvm %s -o - | FileCheck %s --check-prefix=PLAIN

// OTHERS-NOT: {{ (notInlined|differs|spawns|recursive|calls.*)}}.constprop

// WHOLE-NOT: constprop

// The exported function is as it was; the calls here call a copy, which knows.
// SYMBOLS-DAG: T scale
// SYMBOLS-DAG: T nested
// SYMBOLS-DAG: t scale.constprop

// CHECK-LABEL: llvm.func @scale(
// CHECK: cilk.for @__cilk_body.[[SCALE:[0-9]+]]({{.*}}) times
void scale(int n, int k, int *p) {
  cilk_for (int i = 0; i < n; i++)
    p[i] *= k;
}
void callsScale(int *p) {
  int two = 2;
  scale(100, two + 1, p);
  scale(100, 3, p + 100);
}

// Each copy of a loop has a number of its own, larger than that of loops in it.
// CHECK-LABEL: llvm.func @nested(
// CHECK: cilk.for @__cilk_body.2(
void nested(int n, int k, int *p) {
  cilk_for (int i = 0; i < n; i++)
    cilk_for (int j = 0; j < k; j++)
      p[i * n + j] = k;
}
void callsNested(int n, int *p) { nested(n, 7, p); }

// Not what is not to be inlined, has different callers, or is more than loops.
__attribute__((noinline)) void notInlined(int n, int *p) {
  cilk_for (int i = 0; i < n; i++)
    p[i] = n;
}
void differs(int n, int *p) {
  cilk_for (int i = 0; i < n; i++)
    p[i] = n;
}
void spawns(int n, int *p) {
  cilk_for (int i = 0; i < n; i++)
    p[i] = n;
  cilk_spawn differs(n, p);
}
void recursive(int n, int *p) {
  cilk_for (int i = 0; i < n; i++)
    p[i] = n;
  if (n)
    recursive(n - 1, p);
}
void callsOthers(int *p) {
  notInlined(100, p);
  differs(100, p);
  differs(200, p);
  spawns(100, p);
  recursive(100, p);
}

// What a caller has in variables is looked at, unless it is not to be optimized.
static void local(int n, int *p) {
  cilk_for (int i = 0; i < n; i++)
    p[i] = n;
}
// PLAIN-LABEL: define {{.*}}@asItIs(
// PLAIN: alloca i32
// PLAIN: store i32 100
__attribute__((optnone, noinline)) void asItIs(int *p) {
  int n = 100;
  local(n, p);
}

// CHECK-LABEL: llvm.func internal @scale.constprop(
// CHECK-DAG: %[[COUNT:.*]] = llvm.mlir.constant(100 : i64)
// CHECK-DAG: %[[THREE:.*]] = llvm.mlir.constant(3 : i32)
// CHECK: cilk.for @__cilk_body.{{[0-9]+}}({{.*}}) times %[[COUNT]]
// CHECK-LABEL: llvm.func internal @nested.constprop(
