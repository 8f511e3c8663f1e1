// light-loops.c - Loops that are over before others help.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -O1 --emit=cilk -Wno-cilk %s | FileCheck %s
// RUN: cilk2chan -O1 -g --emit=cilk -Wno-cilk %s | FileCheck %s
// RUN: cilk2chan -O1 -fno-chan-simd --emit=cilk -Wno-cilk %s | FileCheck %s
// RUN: cilk2chan -O0 --emit=cilk -Wno-cilk %s | FileCheck %s --check-prefix=NOT
// RUN: cilk2chan -O1 --target=vgiw --emit=cilk -Wno-cilk %s \
// RUN:   | FileCheck %s --check-prefix=NOT
// RUN: cilk2chan -O1 -fno-chan-below-grain --emit=cilk -Wno-cilk %s \
// RUN:   | FileCheck %s --check-prefix=NOT
// NOT: cilk.for
// NOT-NOT: least

#include <math.h>
#include <string.h>

void unknown(int);
struct big { char bytes[64]; };

// CHECK-LABEL: llvm.func @plain(
// CHECK: cilk.for {{.*}} times %{{[^ ]*}} least [[#PLAIN:]] :
void plain(int n, float *x) {
  cilk_for (int i = 0; i < n; i++)
    x[i] += 1;
}
// The same with what the loop does not change in variables.
// CHECK-LABEL: llvm.func @locals(
// CHECK: cilk.for {{.*}} times %{{[^ ]*}} least [[#PLAIN]] :
void locals(int n, float *x) {
  cilk_for (int i = 0; i < n; i++) {
    float *place = &x[i];
    *place += 1;
  }
}
// CHECK-LABEL: llvm.func @division(
// CHECK: cilk.for {{.*}} least 2{{[0-9][0-9]}} :
void division(int n, int *x) {
  cilk_for (int i = 0; i < n; i++)
    x[i] /= n;
}
// A load from where a load says waits for memory.
// CHECK-LABEL: llvm.func @indirect(
// CHECK: cilk.for {{.*}} least 1{{[0-9][0-9]}} :
void indirect(int n, int *x, int *y) {
  cilk_for (int i = 0; i < n; i++) {
    int at = x[i];
    x[i] = y[at];
  }
}
// CHECK-LABEL: llvm.func @math(
// CHECK: cilk.for {{.*}} least {{[56][0-9]}} :
// CHECK: cilk.for {{.*}} least {{[56][0-9]}} :
void math(int n, double *x) {
  cilk_for (int i = 0; i < n; i++)
    x[i] = sin(x[i]) * exp(x[i]);
  cilk_for (int i = 0; i < n; i++)
    x[i] = tgamma(x[i]) * erf(x[i]);
}
static int half(int x) { return x / 2; }
static int quarter(int x) { return half(half(x)); }
// CHECK-LABEL: llvm.func @calls(
// CHECK: cilk.for {{.*}} least {{[1-9][0-9]+}} :
void calls(int n, int *x) {
  cilk_for (int i = 0; i < n; i++)
    x[i] = quarter(x[i]);
}
// CHECK-LABEL: llvm.func @copies(
// CHECK: cilk.for {{.*}} least {{[1-9][0-9]+}} :
void copies(int n, struct big *x) {
  cilk_for (int i = 0; i < n; i++)
    x[i] = x[0];
}

// Nobody knows how long these take, or what they wait for.
// CHECK-LABEL: llvm.func @call_of_unknown(
// CHECK: cilk.for
// CHECK-NOT: least
void call_of_unknown(int n) {
  cilk_for (int i = 0; i < n; i++)
    unknown(i);
}
// CHECK-LABEL: llvm.func @call_of_pointer(
void call_of_pointer(int n, void (*function)(int)) {
  cilk_for (int i = 0; i < n; i++)
    function(i);
}
// CHECK-LABEL: llvm.func @inner(
void inner(int n, int *x) {
  cilk_for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      x[i * n + j] = i;
}
// CHECK-LABEL: llvm.func @irreducible(
void irreducible(int n, int *x) {
  cilk_for (int i = 0; i < n; i++) {
    int j = x[i];
    if (j & 1)
      goto odd;
  even:
    x[j] ^= 2;
    j /= 2;
  odd:
    x[j] ^= 1;
    if (j)
      goto even;
  }
}
static int recursive(int n) { return n < 2 ? n : recursive(n - 1) ^ n; }
// CHECK-LABEL: llvm.func @recursion(
void recursion(int n, int *x) {
  cilk_for (int i = 0; i < n; i++)
    x[i] = recursive(i);
}
static int loops(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum ^= sum * n + i;
  return sum;
}
// CHECK-LABEL: llvm.func @loop_in_call(
void loop_in_call(int n, int *x) {
  cilk_for (int i = 0; i < n; i++)
    x[i] = loops(x[i]);
}
// CHECK-LABEL: llvm.func @update(
void update(int n, _Atomic int *x) {
  cilk_for (int i = 0; i < n; i++)
    x[0] += i;
}
// CHECK-LABEL: llvm.func @volatility(
void volatility(int n, volatile int *x) {
  cilk_for (int i = 0; i < n; i++)
    x[i] = i;
}
// CHECK-LABEL: llvm.func @large_copies(
void large_copies(int n, char *x, char *y, unsigned long size) {
  cilk_for (int i = 0; i < n; i++)
    memcpy(x + i * size, y + i * size, size);
}
// CHECK-LABEL: llvm.func @inline_asm(
void inline_asm(int n) {
  cilk_for (int i = 0; i < n; i++)
    __asm__ volatile("");
}
// CHECK-LABEL: llvm.func @spawns(
int child(int);
static int parent(int i) {
  int x = cilk_spawn child(i);
  cilk_sync;
  return x;
}
void spawns(int n, int *x) {
  cilk_for (int i = 0; i < n; i++)
    x[i] = parent(i);
}
// Whoever gives a grain knows.
// CHECK-LABEL: llvm.func @given(
// CHECK: cilk.for {{.*}} grain
void given(int n, int *x) {
#pragma cilk grainsize 10
  cilk_for (int i = 0; i < n; i++)
    x[i] = 1;
}
// CHECK-LABEL: llvm.func @last(
void last(int n, int *x) {
#pragma cilk grainsize 0
  cilk_for (int i = 0; i < n; i++)
    x[i] = 1;
}

// A constant number of them that take less than a microsecond are a serial loop,
// and what has no others spawns nothing.
// CHECK-NOT: llvm.func @few
void few(int *x) {
  const int n = 8;
  cilk_for (int i = 0; i < n; i++)
    x[i] += i;
}
// CHECK-NOT: llvm.func @few_of_few
void few_of_few(int x[4][4][4]) {
  cilk_for (int i = 3; i >= 0; i--)
    cilk_for (int j = 0; j < 4; j += 2)
      cilk_for (int k = 0; k != 4; k++)
        x[i][j][k] += quarter(x[i][j][k]);
}
// Those outside take longer.
// CHECK-LABEL: llvm.func @many_of_few(
// CHECK-NOT: cilk.for
// CHECK: cilk.for @{{.*}} times
// CHECK-NOT: least
// CHECK-NOT: cilk.for
// CHECK-LABEL: llvm.func @many(
// CHECK: cilk.for @{{.*}} times %{{[^ ]*}} least
void many_of_few(int n, int (*x)[8]) {
  cilk_for (int i = 0; i < n; i++)
    cilk_for (int j = 0; j < 8; j++)
      x[i][j] += j;
}
void many(int *x) {
  cilk_for (int i = 0; i < 10000; i++)
    x[i] += i;
}
// CHECK-LABEL: llvm.func @few_given(
// CHECK: cilk.for {{.*}} grain
void few_given(int *x) {
#pragma cilk grainsize 1
  cilk_for (int i = 0; i < 8; i++)
    x[i] += i;
}
// CHECK-LABEL: llvm.func @few_of_unknown(
// CHECK: cilk.for
void few_of_unknown(void) {
  cilk_for (int i = 0; i < 2; i++)
    unknown(i);
}
// CHECK-LABEL: llvm.func @few_of_many(
// CHECK: cilk.for
void few_of_many(int n, int *x) {
  cilk_for (int i = 0; i < 2; i++)
    for (int j = 0; j < n; j++)
      x[i * n + j] = i;
}
// Nobody knows of what was said before: it never runs.
void never(int *x) {
  for (int i = 0; i < 0; i++)
    cilk_for (int j = 0; j < 3; j++)
      x[j] = i;
}
