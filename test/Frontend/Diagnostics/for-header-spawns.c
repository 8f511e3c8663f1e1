// Spawns in the header of a cilk_for.
//
// RUN: rm -f %t.o
// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o

int f(int);

void g(int n) {
  // CHECK: [[@LINE+1]]:21: error: 'cilk_spawn' is not at statement level
  cilk_for (int i = cilk_spawn f(n); i < n; i++)
    f(i);
  // CHECK: [[@LINE+1]]:28: error: 'cilk_spawn' within a condition is not allowed
  cilk_for (int i = 0; i < cilk_spawn f(n); i++)
    f(i);
  // CHECK: [[@LINE+1]]:36: error: 'cilk_spawn' is not at statement level
  cilk_for (int i = 0; i < n; i += cilk_spawn f(n))
    f(i);
}
// CHECK: 3 errors generated
