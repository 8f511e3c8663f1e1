// A spawn or sync outside a function.
//
// RUN: rm -f %t.o
// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o

int f(int);
// CHECK: [[@LINE+1]]:9: error: 'cilk_spawn' outside a function
int x = cilk_spawn f(1);
// CHECK: [[@LINE+1]]:1: error: 'spawn' outside a function
spawn f(2);
// CHECK: [[@LINE+1]]:1: error: 'cilk_sync' outside a function
cilk_sync;
// CHECK: 4 errors generated
