// for-all-errors.c - All that is wrong with a cilk_for is said, once: first where
// spawns stand, then the headers and what they forbid, then jumps.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: rm -f %t.o
// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o

int f(int);
int g(int n, int *a) {
  int j;
  // CHECK: [[@LINE+32]]:20: error: 'cilk_spawn' as the argument of a spawned call is not allowed

  // CHECK: [[@LINE+3]]:12: error: missing loop control variable in 'cilk_for'
  // CHECK: [[@LINE+2]]:12: error: missing loop condition expression in 'cilk_for'
  // CHECK: [[@LINE+1]]:15: error: missing loop increment expression in 'cilk_for'
  cilk_for (;;)
    ;

  // CHECK: [[@LINE+4]]:19: error: loop control variable must have an integral or pointer type in 'cilk_for', not 'float'
  // CHECK: [[@LINE+3]]:35: error: loop increment operator must be one of
  // CHECK: [[@LINE+3]]:5: error: cannot modify control variable 'i' in the body of a 'cilk_for'
  // CHECK: [[@LINE+3]]:5: error: cannot modify control variable 'i' in the body of a 'cilk_for'
  cilk_for (float i = 0; i < n; i *= 2) {
    i = 3;
    i++;
    a[n] = i;
    if (a[0])
      break;
    return 1;
  }

  // CHECK: [[@LINE+4]]:24: error: cannot declare more than one loop control variable in 'cilk_for'
  // CHECK: note: compute the others from the first, in the body of the loop
  // CHECK: [[@LINE+2]]:33: error: loop condition operator must be one of
  // CHECK: [[@LINE+1]]:40: error: loop increment does not modify control variable 'i' in 'cilk_for'
  cilk_for (int i = 0, k = 0; i == n; j++)
    ;

  // CHECK: [[@LINE+3]]:26: error: loop condition does not test control variable 'i' in 'cilk_for'
  // CHECK: [[@LINE+2]]:36: error: the stride of a 'cilk_for' cannot depend on control variable 'i'
  // CHECK: [[@LINE+3]]:10: error: cannot modify control variable 'i' in the body of a 'cilk_for'
  cilk_for (int i = 0; j < n; i += i) {
    f(cilk_spawn f(cilk_spawn f(i)));
    for (i = 3; i < n; i++)
      f(1);
  }

  // CHECK: [[@LINE+1]]:29: error: cannot modify control variable 'i' in the condition of a 'cilk_for'
  cilk_for (unsigned i = n; i-- > 0;)
    ;
  return j;
}
// CHECK: [[@LINE-25]]:7: error: cannot break from a 'cilk_for' loop
// CHECK: [[@LINE-25]]:5: error: cannot return from within a 'cilk_for' loop
// CHECK: 17 errors generated
