// setjmp and longjmp in a spawning function.
//
// RUN: rm -f %t.o
// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o

#include <setjmp.h>
int f(int);
jmp_buf buffer;
int ordinary(void) { return setjmp(buffer); }
void g(int n) {
  // CHECK: error: a function that spawns or syncs cannot call 'setjmp'
  if (setjmp(buffer))
    return;
  spawn f(n);
  // CHECK: [[@LINE+2]]:3: error: a function that spawns or syncs cannot call 'longjmp'
  // CHECK: note: return a status instead, or jump only between functions that neither spawn nor sync
  longjmp(buffer, 1);
  // CHECK: 2 errors generated
}
