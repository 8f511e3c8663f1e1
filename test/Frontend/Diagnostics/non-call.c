// A spawn of something that is no call.
//
// RUN: rm -f %t.o
// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o

int f(int);
void g(int n) {
  // CHECK: [[@LINE+1]]:9: error: the argument to 'spawn' must be a function call
  spawn n;
  // CHECK: [[@LINE+1]]:9: error: the argument to 'spawn' must be a function call
  spawn 3;
  // CHECK: [[@LINE+2]]:14: error: the argument to 'cilk_spawn' must be a function call
  // CHECK: note: to run other code than a call, spawn a block: 'cilk_spawn { ... }'
  cilk_spawn f;
  // CHECK: [[@LINE+1]]:9: error: the argument to 'spawn' must be a function call
  spawn (n + f(n));
}
