// The warnings can be turned off and made errors.
//
// RUN: rm -f %t.o
// RUN: for flags in -Werror -Werror=cilk -Werror=cilk-return "-Wno-cilk -Werror=cilk-return" "-Wno-error=cilk-serial -Werror"; do not cilk2chan $flags -c %s -o %t.o 2>&1 | FileCheck %s || exit 1; done
// RUN: test ! -e %t.o

// RUN: cilk2chan -Wno-cilk --emit=markers %s -o %t.ll 2>&1 | FileCheck %s --check-prefix=OFF --allow-empty
// RUN: cilk2chan -w --emit=markers %s -o %t.ll 2>&1 | FileCheck %s --check-prefix=OFF --allow-empty
// RUN: cilk2chan -Wno-everything -Werror=cilk-serial -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=OFF --allow-empty
// OFF-NOT: {{warning|error}}:

// RUN: for flags in "-Werror -Wno-error=cilk" "-Wno-cilk -Wcilk-return" "-Wno-everything -Weverything -Wno-missing-prototypes"; do cilk2chan $flags -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=ON || exit 1; done
// ON: warning: no parallelism from a 'spawn' in a return statement [-Wcilk-return]

int f(int);
// CHECK: error: no parallelism from a 'spawn' in a return statement [-Werror,-Wcilk-return]
int g(int n) { return spawn f(n); }
