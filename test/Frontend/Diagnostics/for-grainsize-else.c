// A grainsize has no part in the `if` around its loop.
//
// RUN: cilk2chan -Wall -Wextra -fsyntax-only %s 2>&1 | FileCheck %s --implicit-check-not=warning:

void g(int);

void f(int n) {
  if (n)
#pragma cilk grainsize 3
    cilk_for (int i = 0; i < n; ++i)
      g(i);
  if (n)
    // CHECK: [[@LINE+3]]:5: warning: add explicit braces to avoid dangling else
    if (n > 3)
      g(1);
    else
      g(2);
}
