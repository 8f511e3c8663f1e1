// __builtin_frame_address in a spawning function.
//
// RUN: rm -f %t.o
// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o

int f(int);
void *g(int n) {
  spawn f(n);
  // CHECK: [[@LINE+1]]:10: error: a function that spawns or syncs cannot call '__builtin_frame_address'
  return __builtin_frame_address(0);
}
