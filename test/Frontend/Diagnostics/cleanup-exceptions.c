// cleanup-exceptions.c - A cleanup that an exception could run, in a spawning
// function.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: rm -f %t.o
// RUN: not cilk2chan -fexceptions -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o
// RUN: cilk2chan -c %s -o %t.o

void done(int *p);
int f(int);
int g(int n) {
  int x = spawn f(n);
  // CHECK: [[@LINE+2]]:38: error: a function that spawns or syncs cannot have a variable with the attribute 'cleanup' under '-fexceptions'
  // CHECK: [[@LINE+1]]:38: note: move it to a function that neither spawns nor syncs, and call that
  __attribute__((cleanup(done))) int y = f(3);
  sync;
  return x + y;
}
// CHECK: 1 error generated
int ordinary(void) {
  __attribute__((cleanup(done))) int y = f(3);
  return y;
}
