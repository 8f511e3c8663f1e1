// The warnings can be turned off and made errors.
//
// RUN: rm -f %t.o
// RUN: not cilk2chan -Werror -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o

// RUN: cilk2chan -Wno-cilk --emit=markers %s -o %t.ll 2>&1 | FileCheck %s --check-prefix=OFF --allow-empty
// RUN: cilk2chan -w --emit=markers %s -o %t.ll 2>&1 | FileCheck %s --check-prefix=OFF --allow-empty
// OFF-NOT: warning:

int f(int);
// CHECK: error: no parallelism from a 'spawn' in a return statement [-Werror,-Wcilk-return]
int g(int n) { return spawn f(n); }
