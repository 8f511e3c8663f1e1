// argument.c - Spawned arguments that are refused.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: rm -f %t.o
// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o

int f(int);
int h(int, int);
int g(int n) {
  n = f(cilk_spawn f(n));
  // CHECK: [[@LINE+2]]:11: error: 'spawn' as the argument of a spawned call is not allowed
  // CHECK: [[@LINE+1]]:11: note: assign the result to a variable and use that after a sync
  spawn f(spawn f(n));
  // CHECK: [[@LINE+1]]:22: error: 'spawn' of more than one argument of a call is not allowed
  h(cilk_spawn f(1), spawn f(n));
  // CHECK: [[@LINE+1]]:21: error: 'spawn' as the argument of a spawned call is not allowed
  h(1, cilk_spawn f(spawn f(n)));
  // CHECK: [[@LINE+1]]:9: error: 'spawn' is not at statement level
  1 + f(spawn f(n));
  // CHECK: [[@LINE+1]]:9: error: 'spawn' within a condition is not allowed
  if (f(spawn f(n)))
    n = 0;
  // CHECK: [[@LINE+1]]:11: error: the argument to 'spawn' must be a function call
  f(spawn n);
  // CHECK: [[@LINE+1]]:11: error: the argument to 'spawn' must be a function call
  f(spawn (n + f(n)));
  return n;
}
// CHECK: 7 errors generated
