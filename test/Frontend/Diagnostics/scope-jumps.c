// Jumps into a cilk_scope; those out of it are allowed.
//
// RUN: rm -f %t.o
// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o

int f(int);

int g(int n) {
  int x = 0;
  // CHECK: [[@LINE+2]]:3: error: cannot jump into a 'cilk_scope'
  // CHECK: [[@LINE+2]]:3: note: entered here
  goto inside;
  cilk_scope {
    x = cilk_spawn f(n);
    if (n == 2)
      goto out;
    if (n == 3)
      return 1;
  inside:;
  }
out:
  switch (n) {
    cilk_scope {
    // CHECK: [[@LINE+2]]:5: error: cannot jump into a 'cilk_scope'
    // CHECK: [[@LINE-2]]:5: note: entered here
    default:
      x = cilk_spawn f(n);
      break;
    }
  }
  cilk_for (int i = 0; i < n; i++)
    // CHECK: [[@LINE+1]]:18: error: cannot break from a 'cilk_for' loop
    cilk_scope { break; }
  return x;
}
// CHECK: 3 errors generated
