// A spawn of a spawn in parentheses.
//
// RUN: rm -f %t.o
// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o

int f(int);
void g(int n) {
  // CHECK: [[@LINE+1]]:14: error: 'spawn' is not at statement level
  n = spawn (spawn f(n));
}
