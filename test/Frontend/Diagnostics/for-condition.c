// Missing and odd conditions of a cilk_for.
//
// RUN: rm -f %t.o
// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o

int f(int);

void g(int n, double d, int *p, __int128 wide) {
  // CHECK: [[@LINE+1]]:12: error: missing loop condition expression in 'cilk_for'
  cilk_for (int i = 0;; i++)
    ;
  // CHECK: [[@LINE+1]]:24: error: expected binary comparison operator in 'cilk_for' loop condition
  cilk_for (int i = 0; i; i++)
    ;
  // CHECK: [[@LINE+1]]:26: error: loop condition operator must be one of '<', '<=', '>', '>=', or '!=' in 'cilk_for'
  cilk_for (int i = 0; i == n; i++)
    ;
  // CHECK: [[@LINE+1]]:26: error: loop condition operator must be one of
  cilk_for (int i = 0; i & n; i++)
    ;
  // CHECK: [[@LINE+1]]:32: error: loop condition operator must be one of
  cilk_for (int i = 0; (i < n) && n; i++)
    ;
  // CHECK: [[@LINE+2]]:27: error: loop condition does not test control variable 'i' in '_Cilk_for'
  // CHECK: [[@LINE+1]]:27: note: allowed forms are 'i' OP expr, and expr OP 'i'
  _Cilk_for (int i = 0; n < 10; i++)
    ;
  // CHECK: [[@LINE+1]]:32: error: loop condition does not test control variable 'i' in 'cilk_for'
  cilk_for (int i = 0; (i * 2) < n; i++)
    ;
  // CHECK: [[@LINE+1]]:33: error: loop condition does not test control variable 'i' in 'cilk_for'
  cilk_for (long i = 0; (char)i < n; i++)
    ;
  // CHECK: [[@LINE+1]]:28: error: the limit of a 'cilk_for' must be an integer of at most 64 bits, not 'double'
  cilk_for (int i = 0; i < d; i++)
    ;
  // CHECK: [[@LINE+1]]:28: error: the limit of a 'cilk_for' must be an integer of at most 64 bits, not '__int128'
  cilk_for (int i = 0; i < wide; i++)
    ;
  // CHECK: [[@LINE+1]]:35: error: the limit of a 'cilk_for' cannot depend on control variable 'i'
  cilk_for (int i = 0; i < f(n) - i; i++)
    ;
}
// CHECK: 11 errors generated
