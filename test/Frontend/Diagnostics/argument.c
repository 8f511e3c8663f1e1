// A spawn as the argument of a call.
//
// RUN: rm -f %t.o
// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o

int f(int);
int g(int n) {
  // CHECK: [[@LINE+1]]:9: error: 'cilk_spawn' as the argument of a call is not allowed
  n = f(cilk_spawn f(n));
  // CHECK: [[@LINE+1]]:11: error: 'spawn' as the argument of a call is not allowed
  spawn f(spawn f(n));
  return n;
}
