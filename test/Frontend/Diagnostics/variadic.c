// A variadic definition that spawns.
//
// RUN: rm -f %t.o
// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o

int f(int);
int called(int n, ...) { return n; }
// CHECK: [[@LINE+2]]:6: error: a function that spawns or syncs cannot be variadic
// CHECK: note: pass a 'va_list' to it from a variadic function
void g(int n, ...) {
  spawn called(1, 2.0);
  spawn f(n);
  // CHECK: 1 error generated
}
