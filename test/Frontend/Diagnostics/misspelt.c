// A misspelt word is suggested, once.
//
// RUN: not cilk2chan -fsyntax-only %s 2>&1 | FileCheck --implicit-check-not=mean %s
// RUN: not cilk2chan -fsyntax-only -std=gnu89 -Wno-implicit-function-declaration -DUNDECLARED %s 2>&1 | FileCheck --check-prefix=OTHER --implicit-check-not=mean --implicit-check-not=error: %s

int f(int n);

#ifndef UNDECLARED
void g(int n) {
  // CHECK: [[@LINE+1]]:3: error: use of undeclared identifier 'cilk_snyc'; did you mean 'cilk_sync'?
  cilk_snyc;
  // CHECK: [[@LINE+1]]:3: error: use of undeclared identifier 'clik_spawn'; did you mean 'cilk_spawn'?
  clik_spawn f(n);
  // CHECK: [[@LINE+1]]:11: error: use of undeclared identifier 'cilk_spwn'; did you mean 'cilk_spawn'?
  int a = cilk_spwn f(n);
  // CHECK: [[@LINE+1]]:3: error: use of undeclared identifier 'cilk_scop'; did you mean 'cilk_scope'?
  cilk_scop { f(n); }
}
void h(int n) {
  // CHECK: [[@LINE+3]]:3: error: call to undeclared function 'cilk_fro'
  // CHECK: [[@LINE+2]]:3: note: did you mean 'cilk_for'?
  // CHECK: [[@LINE+1]]:13: error: expected expression
  cilk_fro (int i = 0; n; n--) f(n);
}
#else
// OTHER: [[@LINE+1]]:26: error: use of undeclared identifier 'missing'
int other(void) { return missing; }
int sort(int n) { return cilk_sort(n); }
#endif
