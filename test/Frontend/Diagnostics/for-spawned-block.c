// A control variable of around a spawned block.
//
// RUN: rm -f %t.o
// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o

void h(int);

void g(int n) {
  int i;
  cilk_spawn {
    int j;
    // CHECK: [[@LINE+2]]:5: error: the control variable of a 'cilk_for' in a spawned block must be declared in the block
    // CHECK: [[@LINE-4]]:7: note: declared here
    cilk_for (i = 0; i < n; i++)
      h(i);
    cilk_for (j = 0; j < n; j++)
      h(j);
  }
}
// CHECK: 1 error generated
