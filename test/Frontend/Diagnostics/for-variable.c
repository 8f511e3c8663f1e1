// Missing and odd control variables of a cilk_for.
//
// RUN: rm -f %t.o
// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o

int k;
extern int m;
struct S {
  int x;
};
int *address(void);

void g(int n) {
  int i, j;
  struct S s;
  float f;
  _Bool b;
  // CHECK: [[@LINE+1]]:12: error: missing loop control variable in 'cilk_for'
  cilk_for (; i < n; i++)
    ;
  // CHECK: [[@LINE+1]]:24: error: cannot declare more than one loop control variable in 'cilk_for'
  cilk_for (int a = 0, c = 0; a < n; a++)
    ;
  // CHECK: [[@LINE+1]]:19: error: cannot initialize more than one loop control variable in '_Cilk_for'
  _Cilk_for (i = 0, j = 0; i < n; i++)
    ;
  // CHECK: [[@LINE+1]]:17: error: the control variable of a 'cilk_for' must be initialized
  cilk_for (int a; a < n; a++)
    ;
  // CHECK: [[@LINE+1]]:13: error: expected the initialization of a control variable in 'cilk_for'
  cilk_for (i; i < n; i++)
    ;
  // CHECK: [[@LINE+1]]:13: error: expected the initialization of a control variable in 'cilk_for'
  cilk_for (i += 2; i < n; i++)
    ;
  // CHECK: [[@LINE+1]]:24: error: loop control variable cannot have storage class 'static' in 'cilk_for'
  cilk_for (static int a = 0; a < n; a++)
    ;
  // CHECK: [[@LINE+1]]:13: error: loop control variable cannot have storage class 'extern' in 'cilk_for'
  cilk_for (m = 0; m < n; m++)
    ;
  // CHECK: [[@LINE+1]]:13: error: non-local loop control variable in 'cilk_for'
  cilk_for (k = 0; k < n; k++)
    ;
  // CHECK: [[@LINE+1]]:15: error: expected a variable for control variable in 'cilk_for'
  cilk_for (s.x = 0; s.x < n; s.x++)
    ;
  // CHECK: [[@LINE+1]]:13: error: expected a variable for control variable in 'cilk_for'
  cilk_for (*address() = 0; i < n; i++)
    ;
  // CHECK: [[@LINE+1]]:13: error: loop control variable must have an integral or pointer type in 'cilk_for', not 'float'
  cilk_for (f = 0; f < n; f++)
    ;
  // CHECK: [[@LINE+1]]:13: error: loop control variable cannot be of type '_Bool' in 'cilk_for', which has no value after 1
  cilk_for (b = 0; b < n; b++)
    ;
  // CHECK: [[@LINE+1]]:22: error: loop control variable must have an integral or pointer type in 'cilk_for', not 'struct S'
  cilk_for (struct S a = {0}; i < n; i++)
    ;
  // CHECK: [[@LINE+1]]:25: error: loop control variable must have an integral or pointer type in 'cilk_for', not '_Atomic(int)'
  cilk_for (_Atomic int a = 0; a < n; a++)
    ;
  // CHECK: [[@LINE+1]]:22: error: loop control variable of type '__int128' has more than 64 bits, which 'cilk_for' cannot count
  cilk_for (__int128 a = 0; a < n; a++)
    ;
  // CHECK: [[@LINE+1]]:17: error: the first value of control variable 'i' of a 'cilk_for' cannot depend on it
  cilk_for (i = i + 1; i < n; i++)
    ;
  // CHECK: [[@LINE+1]]:13: error: expected the declaration of a control variable in 'cilk_for'
  cilk_for (struct s { int i; }; i < n; i++)
    ;
}
// CHECK: 18 errors generated
