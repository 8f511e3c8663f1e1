// A global variable in a named register, in a spawning function.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: rm -f %t.o
// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o

register long stack __asm__("rsp");
int f(long n);

int g(void) {
  // CHECK: named-register.c:[[@LINE+3]]:19: error: a function that spawns or syncs cannot use 'stack', a variable in a named register
  // CHECK-NEXT: {{[0-9]+ \|}}   int x = spawn f(stack);
  // CHECK-NEXT: {{^ *\|                   \^$}}
  int x = spawn f(stack);
  sync;
  return x;
}

// Elsewhere, and where nothing is read, it may stand.
// CHECK-NOT: named-register.c:{{.*}} error:
long ordinary(void) { return stack; }
int h(int n) {
  int x = spawn f(n), y = f(sizeof(stack));
  sync;
  return x + y;
}
// CHECK: 1 error generated.
