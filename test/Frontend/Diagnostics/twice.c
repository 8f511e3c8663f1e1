// A spawn of a spawn.
//
// RUN: rm -f %t.o
// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o

int f(int);
void g(int n) {
  // CHECK: [[@LINE+2]]:13: error: 'spawn' of a spawn
  // CHECK: [[@LINE+1]]:7: note: spawned here already
  n = spawn spawn f(n);
  // CHECK: 1 error generated
}
