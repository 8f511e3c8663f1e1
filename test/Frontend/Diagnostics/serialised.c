// The serial elision is checked like the program.
//
// RUN: rm -f %t.o
// RUN: not cilk2chan -fcilk-serialize -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o

int f(int);
int g(int n) {
  // CHECK: [[@LINE+1]]:7: error: 'spawn' within a condition is not allowed
  if (spawn f(n))
    n = 1;
  return n;
}
