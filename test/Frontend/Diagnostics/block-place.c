// block-place.c - A spawned block where only an expression may stand.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: rm -f %t.o
// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o

int f(int);
void g(int n) {
  // CHECK: [[@LINE+1]]:7: error: a spawned block must be a statement of its own
  n = cilk_spawn { f(n); }
}
