// A sync whose value is used.
//
// RUN: rm -f %t.o
// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o

int f(int);
void g(int n) {
  // CHECK: [[@LINE+1]]:{{[0-9]+}}: error: {{.*}}'void'
  n = cilk_sync;
  // CHECK: [[@LINE+1]]:{{[0-9]+}}: error: {{.*}}'void'
  f(cilk_sync);
}
