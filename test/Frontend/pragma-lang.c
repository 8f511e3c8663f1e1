// #pragma lang says of the file that it stands in whether the bare words are
// keywords or names.
//
// RUN: rm -rf %t && split-file --leading-lines %s %t && cd %t
// RUN: cilk2chan a.c --emit=markers -Wno-cilk -Wno-unused-value -o - 2>err | FileCheck %s
// RUN: FileCheck --check-prefix=WARNING %s < err
// RUN: cilk2chan a.c -fsyntax-only -Wno-cilk -Wno-unused-value -Wno-ignored-pragmas 2>&1 | count 0
// RUN: cilk2chan -E a.c | grep -c '#pragma lang' | grep -x 5

//--- cilk.h
#pragma lang -C
cilk int f(int);

//--- a.c
#include "cilk.h"

int spawn(int);
// CHECK-LABEL: define {{.*}}@visible(
// CHECK: call i32 @spawn(
int visible(int n) { return spawn (n); }

#pragma lang +cilk
// CHECK-LABEL: define {{.*}}@keyword(
// CHECK: call void @__cilk_spawn.0
void keyword(int n) { spawn (f)(n); }

#pragma lang +C
// CHECK-LABEL: define {{.*}}@names(
// CHECK-NOT: __cilk
// CHECK: ret i32
int names(int n) {
  int sync = n, SYNCHED = 3;
  sync;
  return sync + SYNCHED;
}
// cilk_spawn is no bare word.
// CHECK-LABEL: define {{.*}}@modern(
// CHECK: call void @__cilk_spawn.1
void modern(int n) { cilk_spawn f(n); }

#pragma lang -Cilk
// CHECK-LABEL: define {{.*}}@still(
// CHECK: call i32 @spawn(
int still(int n) { return spawn (n); }

// WARNING: a.c:[[@LINE+1]]:14: warning: unexpected argument '++C' to '#pragma lang'; expected '+C' or '-C' [-Wignored-pragmas]
#pragma lang ++C
// WARNING: 1 warning generated
