// Loops and scopes where none can be.
//
// RUN: rm -f %t.o
// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o

int f(int);

void unevaluated(int n) {
  // CHECK: [[@LINE+1]]:16: error: 'cilk_for' is not allowed here
  n = sizeof({ cilk_for (int i = 0; i < n; i++) f(i); n; });
}
int between;

// CHECK: [[@LINE+1]]:1: error: 'cilk_for' outside a function
cilk_for (int i = 0; i < 3; i++) {
  f(i);
}
// CHECK: [[@LINE+1]]:1: error: 'cilk_scope' outside a function
cilk_scope { f(1); }

void g(int n) {
  // CHECK: [[@LINE+1]]:11: error: expected expression
  int x = cilk_for (int i = 0; i < n; i++) f(i);
}
// CHECK: 4 errors generated
