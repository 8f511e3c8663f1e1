// Jumps out of and into a cilk_for.
//
// RUN: rm -f %t.o
// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o

void h(int);

int g(int n) {
  cilk_for (int i = 0; i < n; i++) {
    if (i == 3)
      // CHECK: [[@LINE+2]]:7: error: cannot break from a 'cilk_for' loop
      // CHECK: note: iterations run at the same time; write 'for', or let the iterations test an atomic variable and 'continue'
      break;
    if (i == 4)
      // CHECK: [[@LINE+2]]:7: error: cannot return from within a 'cilk_for' loop
      // CHECK: note: iterations run at the same time; write 'for', or store the result in a variable and return it after the loop
      return i;
    if (i == 5)
      // CHECK: [[@LINE+2]]:7: error: cannot jump out of a 'cilk_for' loop
      // CHECK: note: iterations run at the same time; write 'for'
      goto out;
    for (;;)
      break;
    while (n)
      continue;
    switch (i) {
    case 1:
      break;
    default:
      continue;
    }
    goto inside;
  inside:
    h(i);
  }
  // CHECK: [[@LINE+2]]:3: error: cannot jump into a 'cilk_for'
  // CHECK: [[@LINE-28]]:3: note: entered here; jump to its beginning, or move the label out of it
  goto inside;
  switch (n) {
    _Cilk_for (int i = 0; i < n; i++) {
    // CHECK: [[@LINE+2]]:5: error: cannot jump into a '_Cilk_for'
    // CHECK: [[@LINE-2]]:5: note: entered here
    case 1:
      h(i);
    }
  }
  cilk_for (int i = 0; i < n; i++)
    cilk_for (int j = 0; j < n; j++) {
      // CHECK: [[@LINE+1]]:7: error: cannot jump out of a 'cilk_for' loop
      goto outer;
    outer2:;
      // CHECK: [[@LINE+1]]:7: error: cannot break from a 'cilk_for' loop
      break;
    }
  cilk_for (int i = 0; i < n; i++) {
  outer:
    h(i);
    // CHECK: [[@LINE+1]]:5: error: cannot jump out of a 'cilk_for' loop
    goto outer2;
  }
out:
  return n;
}
// CHECK: 8 errors generated
