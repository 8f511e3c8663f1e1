// A spawn in the initialiser of a static variable.
//
// RUN: rm -f %t.o
// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o

int f(int);
void g(void) {
  // CHECK: error: initializer element is not a compile-time constant
  // CHECK: [[@LINE+1]]:18: error: 'spawn' in the initializer of a static variable is not allowed
  static int x = spawn f(1);
}
