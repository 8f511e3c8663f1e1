// Missing, odd, zero and inconsistent increments of a cilk_for.
//
// RUN: rm -f %t.o
// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o

void g(int n, int s, int *p, int *q, __int128 wide) {
  int j = 0;
  // CHECK: [[@LINE+1]]:31: error: missing loop increment expression in 'cilk_for'
  cilk_for (int i = 0; i < n; )
    ;
  // CHECK: [[@LINE+1]]:33: error: loop increment operator must be one of operators '++', '--', '+=', or '-=', or add to or subtract from 'i' in 'cilk_for'
  cilk_for (int i = 0; i < n; i *= 2)
    ;
  // CHECK: [[@LINE+1]]:33: error: loop increment operator must be one of
  cilk_for (int i = 0; i < n; i = 2 * i)
    ;
  // CHECK: [[@LINE+1]]:34: error: loop increment operator must be one of
  cilk_for (int i = 0; i < n; i++, j++)
    ;
  // CHECK: [[@LINE+1]]:32: error: loop increment does not modify control variable 'i' in 'cilk_for'
  cilk_for (int i = 0; i < n; j++)
    ;
  // CHECK: [[@LINE+1]]:33: error: loop increment does not modify control variable 'i' in 'cilk_for'
  cilk_for (int i = 0; i < n; j += i)
    ;
  // CHECK: [[@LINE+1]]:37: error: loop increment does not modify control variable 'i' in 'cilk_for'
  cilk_for (int i = 0; i < n; i = s - i)
    ;
  // CHECK: [[@LINE+1]]:36: error: the stride of a 'cilk_for' must be an integer of at most 64 bits, not 'double'
  cilk_for (int i = 0; i < n; i += 1.5)
    ;
  // CHECK: [[@LINE+1]]:36: error: the stride of a 'cilk_for' must be an integer of at most 64 bits, not '__int128'
  cilk_for (int i = 0; i < n; i += wide)
    ;
  // CHECK: [[@LINE+1]]:36: error: the stride of a 'cilk_for' cannot depend on control variable 'i'
  cilk_for (int i = 1; i < n; i += i)
    ;
  // CHECK: [[@LINE+1]]:36: error: loop increment must be non-zero in 'cilk_for'
  cilk_for (int i = 0; i < n; i += 0)
    ;
  // CHECK: [[@LINE+2]]:32: error: loop increment is inconsistent with condition in 'cilk_for': expected positive stride
  // CHECK: [[@LINE+1]]:32: note: constant stride is -1
  cilk_for (int i = 0; i < n; i--)
    ;
  // CHECK: [[@LINE+2]]:38: error: loop increment is inconsistent with condition in '_Cilk_for': expected negative stride
  // CHECK: [[@LINE+1]]:38: note: constant stride is 2
  _Cilk_for (int i = n; i >= 0; i += 2)
    ;
  // CHECK: [[@LINE+2]]:36: error: loop increment is inconsistent with condition in 'cilk_for': expected positive stride
  // CHECK: [[@LINE+1]]:36: note: constant stride is -3
  cilk_for (int i = 0; n > i; i -= 3)
    ;
  // CHECK: [[@LINE+3]]:43: error: loop increment is inconsistent with condition in 'cilk_for': expected positive stride
  // CHECK: [[@LINE+2]]:43: note: constant stride is -2
  cilk_for (int *t = p; t != q; t -= 2)
    cilk_for (unsigned i = 0; i < n; i += -2)
      ;
}
// CHECK: 15 errors generated
