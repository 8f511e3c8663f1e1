// A spawn in an unevaluated operand.
//
// RUN: rm -f %t.o
// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o

int f(int);
int g(void) {
  // CHECK: [[@LINE+2]]:18: error: 'spawn' in an unevaluated operand is not allowed
  // CHECK: note: nothing runs the call in it; write the call without 'spawn'
  int x = sizeof(spawn f(1));
  // CHECK: [[@LINE+1]]:16: error: 'spawn' in an unevaluated operand is not allowed
  x = _Generic(spawn f(1), int: 1);
  return x;
}
