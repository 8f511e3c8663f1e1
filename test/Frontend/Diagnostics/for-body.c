// Changing the control variable of a cilk_for in its body.
//
// RUN: rm -f %t.o
// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o

int f(int);
void h(int *);

void g(int n) {
  int j, k;
  cilk_for (int i = 0; i < n; i++) {
    // CHECK: [[@LINE+1]]:9: error: cannot modify control variable 'i' in the body of a 'cilk_for'
    if (i++ > 3)
      h(&i);
  }
  // CHECK: [[@LINE+2]]:5: error: cannot modify control variable 'i' in the body of a 'cilk_for'
  cilk_for (int i = 0; i < n; i++)
    i = cilk_spawn f(i);
  // CHECK: [[@LINE+2]]:5: error: cannot modify control variable 'i' in the body of a '_Cilk_for'
  _Cilk_for (int i = 0; i < n; i++)
    (i) += 2;
  // CHECK: [[@LINE+2]]:15: error: cannot modify control variable 'j' in the body of a 'cilk_for'
  cilk_for (j = 0; j < n; j++)
    cilk_for (j = 0; j < n; j++)
      ;
  cilk_for (k = 0; k < n; k++)
    f(k + sizeof(k++));
}
// CHECK: 4 errors generated
