// main is spawned.
//
// RUN: rm -f %t.o
// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o

int main(void) {
  // CHECK: [[@LINE+1]]:9: error: 'main' cannot be spawned
  spawn main();
  return 0;
}
