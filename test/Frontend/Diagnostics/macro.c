// A misplaced spawn from a macro.
//
// RUN: rm -f %t.o
// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o

#define RUN cilk_spawn
int f(int);
int g(int n) {
  // CHECK: [[@LINE+3]]:14: error: 'cilk_spawn' is not at statement level
  // CHECK: return 1 + RUN f(n);
  // CHECK: note: expanded from macro 'RUN'
  return 1 + RUN f(n);
}
