// Without the bare words, only the others are known.
//
// RUN: rm -f %t.o
// RUN: not cilk2chan -fno-cilk-keywords -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o

int f(int);
void g(int n) {
  cilk_spawn f(n);
  _Cilk_sync;
  // CHECK: [[@LINE+1]]:3: error: use of undeclared identifier 'sync'
  sync;
  // CHECK: [[@LINE+1]]:3: error: use of undeclared identifier 'spawn'
  spawn f(n);
}
