// callee-type.c - A callee whose type depends on a variable of the parent.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: rm -f %t.o
// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o

typedef int row[4];
void *make(void);
int g(int n, row fixed[n]) {
  row(*(*same)(void))[4] = make();
  int (*(*pick)(void))[n] = make();
  spawn same();
  // CHECK: [[@LINE+1]]:9: error: a function whose type depends on a variable cannot be spawned
  spawn pick();
  return fixed[0][1];
}
// CHECK: 1 error generated
