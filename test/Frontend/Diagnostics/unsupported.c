// Words of the language that come later.
//
// RUN: rm -f %t.o
// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o

int f(int);
void g(int n) {
  // CHECK: [[@LINE+1]]:3: error: 'abort' is not supported yet
  abort;
  // CHECK: [[@LINE+1]]:3: error: 'inlet' is not supported yet
  inlet void h(int);
  // CHECK: 2 errors generated
}
