// A spawn in a type.
//
// RUN: rm -f %t.o
// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o

int f(int);
int g(void) {
  // CHECK: [[@LINE+1]]:14: error: 'spawn' is not allowed here
  __typeof__(spawn f(1)) x = 1;
  // CHECK: [[@LINE+1]]:13: error: 'spawn' is not allowed here
  int array[spawn f(1)];
  return x;
}
