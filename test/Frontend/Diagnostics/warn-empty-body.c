// What follows an empty body looks like the body.
//
// RUN: cilk2chan -Werror -c %s -o %t.o -w
// RUN: not cilk2chan -Werror -c %s -o %t.o 2>&1 | FileCheck %s

void h(int);

void g(int n) {
  // CHECK: [[@LINE+2]]:36: error: {{.*}} loop has empty body
  // CHECK: note: put the semicolon on a separate line to silence this warning
  _Cilk_for (int i = 0; i < n; i++);
  { h(n); }
  cilk_for (int i = 0; i < n; i++)
    ;
  { h(n); }
}
// CHECK: 1 error generated
