// scope-place.c - A scope or a spawned statement is a statement, and no declaration.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: rm -f %t.o
// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o
// RUN: not cilk2chan -DCHECKED -c %s -o %t.o 2>&1 | FileCheck --check-prefix=CHECKED %s

int f(int);
#ifndef CHECKED
int g(int n) {
  // CHECK: [[@LINE+1]]:11: error: 'cilk_scope' must be a statement of its own
  int x = cilk_scope f(n);
  // CHECK: [[@LINE+1]]:9: error: '_Cilk_scope' must be a statement of its own
  x += (_Cilk_scope { f(n); });
  return x;
}
#else
int g(int n) {
  int x;
  // CHECKED: [[@LINE+1]]:3: error: '_Cilk_scope' in front of a declaration: write a block
  _Cilk_scope int y = cilk_spawn f(n);
  cilk_scope x = cilk_spawn f(n);
  // CHECKED: [[@LINE+1]]:14: error: 'cilk_scope' in front of a declaration: write a block
  cilk_spawn cilk_scope int z = n;
  // CHECKED: [[@LINE+1]]:26: error: 'return' in a spawned block is not allowed
  cilk_spawn if (x == 1) return n;
  // CHECKED: [[@LINE+1]]:14: error: 'goto' in a spawned block is not allowed
  cilk_spawn goto out;
out:
  return x;
}
// CHECKED: 4 errors generated
#endif
