// light-spawns.c - Children that are over before others help.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -O1 --emit=cilk -Wno-cilk %s | FileCheck %s
// RUN: cilk2chan -O1 -g --emit=cilk -Wno-cilk %s | FileCheck %s
// RUN: cilk2chan -O0 --emit=cilk -Wno-cilk %s | FileCheck %s --check-prefix=NOT
// RUN: cilk2chan -O1 --target=vgiw --emit=cilk -Wno-cilk %s \
// RUN:   | FileCheck %s --check-prefix=NOT
// RUN: cilk2chan -O1 -fno-chan-below-grain --emit=cilk -Wno-cilk %s \
// RUN:   | FileCheck %s --check-prefix=NOT
// NOT: llvm.func @small
// NOT: cilk.spawn
// NOT: cilk.spawn

int unknown(int);
struct large { long part[4]; };

static int light(int x) { return x * x ^ 5; }
static void put(int *place, int x) { *place = light(x); }
static struct large make(long x) { return (struct large){{x, x, x, x}}; }
static int loops(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum ^= sum * n + i;
  return sum;
}
static int waits(int x) { return *(volatile int *)&x; }

// What spawns nothing else spawns nothing.
// CHECK-NOT: @small
int small(int x) {
  int a = cilk_spawn light(x);
  int b;
  cilk_spawn put(&b, x);
  cilk_sync;
  return a + b;
}

// CHECK-LABEL: llvm.func @beside(
// CHECK-NOT: cilk.spawn
// CHECK: cilk.spawn @unknown
// CHECK-NOT: cilk.spawn
int beside(int x) {
  int a = cilk_spawn light(x);
  int b = cilk_spawn unknown(x);
  int c = cilk_spawn light(x + 1);
  cilk_sync;
  return a + b + c;
}

// Many together are worth others' help.
// CHECK-LABEL: llvm.func @loop(
// CHECK: cilk.spawn @put
void loop(int *x, int n) {
  for (int i = 0; i < n; i++)
    cilk_spawn put(&x[i], i);
}

// Nobody knows how long these take, or what they wait for.
// CHECK-LABEL: llvm.func @heavy(
// CHECK: cilk.spawn @loops
// CHECK: cilk.spawn @waits
int heavy(int x) {
  int a = cilk_spawn loops(x);
  int b = cilk_spawn waits(x);
  cilk_sync;
  return a + b;
}

// Results are delivered in the order of the spawns, and may have to wait.
// CHECK-LABEL: llvm.func @order(
// CHECK: cilk.spawn @unknown
// CHECK: cilk.spawn @light
// CHECK: cilk.spawn @unknown
// CHECK: cilk.spawn @light
// CHECK: cilk.spawn @light
int order(int x, int *y) {
  int a = cilk_spawn unknown(x);
  a = cilk_spawn light(x);
  int b = 1;
  b *= cilk_spawn unknown(x);
  b += cilk_spawn light(x);
  *y = cilk_spawn light(x);
  cilk_sync;
  return a + b;
}

// Who knows the place may have something delivered there.
// CHECK-LABEL: llvm.func @known(
// CHECK: cilk.spawn @unknown
// CHECK: cilk.spawn @light
int known(int x) {
  int a, *place = &a;
  *place = cilk_spawn unknown(x);
  a = cilk_spawn light(x);
  cilk_sync;
  return a;
}

// CHECK-LABEL: llvm.func @in_memory(
// CHECK: cilk.spawn @make
long in_memory(long x) {
  struct large all = cilk_spawn make(x);
  cilk_sync;
  return all.part[1];
}
