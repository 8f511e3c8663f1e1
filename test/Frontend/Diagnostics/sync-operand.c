// sync-operand.c - A sync inside an expression.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: rm -f %t.o
// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o

int f(int);
int g(int n) {
  int x = spawn f(n);
  // CHECK: [[@LINE+1]]:10: error: a sync must be a statement of its own
  n = f((cilk_sync, x));
  // CHECK: [[@LINE+1]]:11: error: a sync must be a statement of its own
  return (cilk_sync, n);
}
void h(int n) {
  spawn f(n);
  // CHECK: [[@LINE+1]]:3: error: 'cilk_sync' is no function: write 'cilk_sync;'
  cilk_sync();
  cilk_sync;
}
// CHECK: 3 errors generated
