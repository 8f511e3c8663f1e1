// A spawn in the initialiser of a static variable.
//
// RUN: rm -f %t.o
// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o

int f(int);
void g(void) {
  // CHECK: error: initializer element is not a compile-time constant
  // CHECK: [[@LINE+2]]:18: error: 'spawn' in the initializer of a static variable is not allowed
  // CHECK: note: it is computed before the program starts; assign to the variable in a statement
  static int x = spawn f(1);
}
