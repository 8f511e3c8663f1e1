// A loop makes its function a spawning function, with what that excludes.
//
// RUN: rm -f %t.o
// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o

#include <setjmp.h>

jmp_buf buffer;

// CHECK: [[@LINE+1]]:6: error: a function that spawns or syncs cannot be variadic
void g(int n, ...) {
  cilk_for (int i = 0; i < n; i++) {
    // CHECK: [[@LINE+1]]:9: error: a function that spawns or syncs cannot call
    if (setjmp(buffer))
      n++;
  }
}
