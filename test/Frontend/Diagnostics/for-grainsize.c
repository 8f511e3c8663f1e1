// Grainsizes.
//
// RUN: rm -f %t.o
// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o

// CHECK: [[@LINE+2]]:14: error: a grainsize outside a function
// CHECK: note: write it in front of the 'cilk_for' that it is for
#pragma cilk grainsize 4

void h(int);
// The parser's errors come first.
void parsed(int n, int *p) {
// CHECK: [[@LINE+1]]:26: error: incompatible pointer to integer conversion
#pragma cilk grainsize = p
  cilk_for (int i = 0; i < n; i++)
    h(i);
// CHECK: [[@LINE+1]]:14: error: expected an integer expression after 'grainsize'
#pragma cilk grainsize =
  cilk_for (int i = 0; i < n; i++)
    h(i);
// CHECK: [[@LINE+1]]:14: error: a grainsize must be followed by a 'cilk_for' loop
#pragma cilk grainsize 3
  for (int i = 0; i < n; i++)
    h(i);
// CHECK: [[@LINE+1]]:9: error: a grainsize must be followed by a 'cilk_for' loop
#pragma grainsize 3
  h(n);
}

void checked(int n) {
// CHECK: [[@LINE+1]]:26: error: the grainsize of a 'cilk_for' cannot be negative
#pragma cilk_grainsize = -2
  cilk_for (int i = 0; i < n; i++)
    h(i);
// CHECK: [[@LINE+1]]:24: error: the grainsize of a 'cilk_for' cannot be negative
#pragma cilk grainsize -1
  cilk_for (int i = 0; i < n; i++)
    h(i);
// CHECK: [[@LINE+1]]:26: error: the grainsize of a 'cilk_for' must be an integer, not 'double'
#pragma cilk grainsize = 2.5
  cilk_for (int i = 0; i < n; i++)
    h(i);
}
// CHECK: 8 errors generated
