// A spawn in front of a declaration.
//
// RUN: rm -f %t.o
// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o

void g(void) {
  // CHECK: [[@LINE+1]]:3: error: 'spawn' is not allowed here
  spawn int x;
}
