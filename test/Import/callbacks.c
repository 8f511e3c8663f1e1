// callbacks.c - A copy of a recursion for each function that it is given.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -O2 --emit=cilk %s | FileCheck %s --implicit-check-not='@local('
// RUN: cilk2chan -O2 -g --emit=cilk %s | FileCheck %s
// RUN: cilk2chan -O2 -fno-chan-call-promotion --emit=cilk %s | FileCheck %s --check-prefix=NOT
// RUN: cilk2chan -O0 --emit=cilk %s | FileCheck %s --check-prefix=NOT
// RUN: cilk2chan -O2 -march=x86-64-v4 -Rpass='chan-(call-promotion|simd)' -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: cilk2chan -O2 %s -o %t && %t | FileCheck %s --check-prefix=ANSWER
// NOT-NOT: .square
#include <stdio.h>

typedef long (*function)(long);

// REMARK-DAG: 'local' has a copy for each of 'square', 'cube', which it calls through a pointer [-Rpass=chan-call-promotion]
// REMARK-DAG: 'local.square.batch.{{.*}}' treats {{.*}} elements at a time
// REMARK-DAG: 'exported.square.batch.{{.*}}' treats {{.*}} elements at a time
static long local(function f, long from, long to) {
  if (to - from == 1)
    return f(from);
  long middle = from + (to - from) / 2;
  long x = cilk_spawn local(f, from, middle);
  long y = local(f, middle, to);
  cilk_sync;
  return x + y;
}

// Others may call it, with what they like.
// CHECK-LABEL: llvm.func @exported(
// CHECK: llvm.call %
// CHECK: cilk.spawn @exported(
long exported(long from, long to, function f) {
  if (to - from == 1)
    return f(from);
  long middle = from + (to - from) / 2;
  long x = cilk_spawn exported(from, middle, f);
  long y = cilk_spawn exported(middle, to, f);
  cilk_sync;
  return x + y;
}

// A child that is given another, and a pointer that changes.
long changes(function f, function g, long n) {
  if (n < 2)
    return f(n);
  long x = cilk_spawn changes(g, f, n - 1);
  long y = changes(g, f, n - 2);
  cilk_sync;
  f = g;
  return x + y + f(n);
}

// A pointer is compared with the addresses that are known.
static long called;
static long square(long n) { return n * n; }
static long cube(long n) { return n * n * n; }
static long counts(long n) { return __atomic_add_fetch(&called, n, 0); }
function table[] = {square, counts, cube};
__attribute__((noinline)) long unknown(function f, long n) {
  return exported(0, n, f);
}

// The copies come last.
// CHECK-LABEL: llvm.func @changes(
// CHECK-NOT: @changes.
// CHECK-LABEL: llvm.func internal @exported.square(
// CHECK-NOT: llvm.call
// CHECK: cilk.spawn @exported.square(
// CHECK-LABEL: llvm.func internal @exported.cube(
// CHECK-LABEL: llvm.func internal @local.square(
// CHECK-NOT: llvm.call
// CHECK: cilk.spawn @local.square(
// CHECK-NOT: llvm.call
// CHECK: cilk.call @local.square(
// CHECK-LABEL: llvm.func internal @local.cube(
// CHECK: cilk.spawn @local.cube(

// ANSWER: 285 2025 285 2025 45 45 2025 285 202
int main(void) {
  printf("%ld %ld ", local(square, 0, 10), local(cube, 0, 10));
  printf("%ld %ld ", exported(0, 10, square), exported(0, 10, cube));
  for (int i = 1; i < 4; ++i) {
    long result = unknown(table[i % 3], 10);
    printf("%ld ", i == 1 ? (result != 0) * 45 : result);
    if (i == 1)
      printf("%ld ", called);
  }
  printf("%ld\n", changes(square, cube, 5));
}
