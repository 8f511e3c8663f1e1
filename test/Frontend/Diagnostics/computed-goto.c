// A computed goto in a spawning function.
//
// RUN: rm -f %t.o
// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o

int f(int);
void g(int n) {
  // CHECK: [[@LINE+1]]:13: error: a function that spawns or syncs cannot contain a computed goto
  void *p = &&label;
  spawn f(n);
  // CHECK: [[@LINE+2]]:3: error: a function that spawns or syncs cannot contain a computed goto
  // CHECK: note: use a 'switch'
  goto *p;
label:;
}
