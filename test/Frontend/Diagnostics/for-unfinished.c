// What the parser could not read is not judged as well.
//
// RUN: not cilk2chan -fsyntax-only %s 2>&1 | FileCheck --implicit-check-not=missing %s

void f(int n, int *a) {
  // CHECK: [[@LINE+1]]:{{[0-9]+}}: error: expected
  cilk_for (int i = 0; i < n;  ( ;
  cilk_for (int i = 0; i < n; i++)
    a[i] = 1;
}

void g(int n, int *a) {
  // CHECK: [[@LINE+2]]:14: error: expected expression
  _Thread_local
#pragma cilk grainsize 3
  cilk_for (int i = 0; i < n; i++)
    a[i] = 1;
}
