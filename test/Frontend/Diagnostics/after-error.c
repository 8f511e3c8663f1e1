// after-error.c - A spawn in what is wrong for another reason is not blamed.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: rm -f %t.o
// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o

struct pair { int a, b; };
int f(int);

int g(int n) {
  const int fixed = 1;
  // CHECK: after-error.c:[[@LINE+1]]:9: error: cannot assign to variable 'fixed'
  fixed = cilk_spawn f(n);
  // CHECK-NOT: statement level
  // CHECK: after-error.c:[[@LINE+1]]:15: error: initializing 'struct pair'
  struct pair p = cilk_spawn f(n);
  // CHECK-NOT: statement level
  // CHECK: after-error.c:[[@LINE+1]]:9: error: expression is not assignable
  n + 1 = cilk_spawn f(n);
  // CHECK-NOT: statement level
  cilk_sync;
  return n;
}
// CHECK: 3 errors generated.
