// The pragmas of Clang and GCC reach our warnings, from where they stand on.
//
// RUN: rm -f %t.o
// RUN: cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
// RUN: cilk2chan -w -c %s -o %t.o 2>&1 | count 0

// What the command line turned off, a pragma turns on.
// RUN: cilk2chan -Wno-cilk -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=OFF --implicit-check-not=warning: --implicit-check-not=error:

// Errors end the compilation; -Werror makes errors of what a pragma calls a
// warning.
// RUN: rm -f %t.o
// RUN: not cilk2chan -DSEVERITY=error -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=STRICT
// RUN: not cilk2chan -DSEVERITY=fatal -Wno-cilk -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=STRICT
// RUN: not cilk2chan -DSEVERITY=warning -Wno-cilk -Werror -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=STRICT
// RUN: test ! -e %t.o
// RUN: cilk2chan -DSEVERITY=warning -Werror -Wno-error=cilk-return -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=LENIENT

// Clang's own part of the pragma is as before.
// RUN: cilk2chan -DCLANGS -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=CLANGS --implicit-check-not=warning:

// RUN: not cilk2chan -DMALFORMED -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=MALFORMED

int f(int);
#define DO(text) _Pragma(#text)
#define SET(severity) DO(clang diagnostic severity "-Wcilk")

#ifdef SEVERITY
SET(SEVERITY)
// STRICT: [[#@LINE+2]]:{{.*}}error: no parallelism from a 'spawn' in a return statement [-Werror,-Wcilk-return]
// LENIENT: [[#@LINE+1]]:{{.*}}warning: no parallelism from a 'spawn' in a return statement [-Wcilk-return]
int set(int n) { return spawn f(n); }

#elif defined(MALFORMED)
// MALFORMED: [[#@LINE+1]]:{{.*}}error: expected string literal in pragma diagnostic
#pragma clang diagnostic ignored 3
#elif defined(CLANGS)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-value"
void unused(int n) { n; }
#pragma clang diagnostic pop
// CLANGS: [[#@LINE+1]]:{{.*}}warning: expression result unused
void used(int n) { n; }
int after;
// CLANGS: [[#@LINE+1]]:{{.*}}warning: unknown warning group '-Wcilk-nothing', ignored
#pragma clang diagnostic ignored "-Wcilk-nothing"
// CLANGS: [[#@LINE+1]]:{{.*}}warning: unknown warning group '-Rcilk', ignored
#pragma clang diagnostic ignored "-Rcilk"
// CLANGS: [[#@LINE+1]]:{{.*}}warning: pragma diagnostic pop could not pop
#pragma clang diagnostic pop
// CLANGS: [[#@LINE+1]]:{{.*}}warning: pragma diagnostic expected 'error', 'warning'
#pragma clang diagnostic hush "-Wcilk"
// CLANGS: [[#@LINE+1]]:{{.*}}warning: pragma diagnostic expected option name
#pragma clang diagnostic ignored "cilk"
// CLANGS: [[#@LINE+1]]:{{.*}}warning: unexpected token in pragma diagnostic
#pragma clang diagnostic push 1

#else
// CHECK: [[#@LINE+1]]:{{.*}}warning: no parallelism from a 'spawn' in a return statement [-Wcilk-return]
int plain(int n) { return spawn f(n); }

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wcilk-return"
int quiet(int n) { return spawn f(n); }

#pragma GCC diagnostic push
DO(GCC diagnostic warning "-Wcilk")
// CHECK: [[#@LINE+2]]:{{.*}}warning: no parallelism
// OFF: [[#@LINE+1]]:{{.*}}warning: no parallelism
int loud(int n) { return spawn f(n); }
#pragma GCC diagnostic pop

int quietAgain(int n) { return spawn f(n); }
#pragma clang diagnostic warning "-Wcilk-serial"
int otherName(int n) { return spawn f(n); }
#pragma clang diagnostic pop

// CHECK: [[#@LINE+1]]:{{.*}}warning: no parallelism
int plainAgain(int n) { return spawn f(n); }

#pragma clang diagnostic ignored "-Weverything"
int nothing(int n) { return spawn f(n); }
#endif
