// A musttail call in a spawning function.
//
// RUN: rm -f %t.o
// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o

int f(int);
int g(int n) {
  n = spawn f(n);
  sync;
  // CHECK: [[@LINE+1]]:18: error: a function that spawns or syncs cannot make a 'musttail' call
  __attribute__((musttail)) return g(n);
}
