// diagnostics.c - Messages in every form that clang has, our own among them.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: rm -rf %t && mkdir %t && cd %t && cp %s bad.c
// RUN: not cilk2chan -c bad.c 2>&1 | FileCheck --check-prefix=CLANG %s
// RUN: not cilk2chan -fdiagnostics-format=msvc -c bad.c 2>&1 | FileCheck --check-prefix=MSVC %s
// RUN: not cilk2chan -fdiagnostics-format=vi -c bad.c 2>&1 | FileCheck --check-prefix=VI %s
// RUN: not cilk2chan -fdiagnostics-format=sarif -c bad.c 2>&1 | FileCheck --check-prefix=SARIF %s
// RUN: not cilk2chan -fno-caret-diagnostics -c bad.c 2>&1 | FileCheck --check-prefix=PLAIN %s
// RUN: not cilk2chan -fdiagnostics-color=always -c bad.c 2>&1 | FileCheck --check-prefix=COLOUR %s
// RUN: not cilk2chan -fdiagnostics-color=never -c bad.c 2>&1 | FileCheck --check-prefix=GREY %s
// RUN: not cilk2chan -ferror-limit=1 -c bad.c 2>&1 | FileCheck --check-prefix=LIMIT %s
// RUN: not cilk2chan -w -c bad.c 2>&1 | FileCheck --check-prefix=CLANG %s
// RUN: not cilk2chan --serialize-diagnostics bad.dia -c bad.c 2>&1 && test -s bad.dia
// RUN: not cilk2chan -fsyntax-only bad.c 2>&1 | FileCheck --check-prefix=CLANG %s
// RUN: find . -name '*.o' | count 0
// CLANG: bad.c:[[@LINE+21]]:7: error: 'cilk_spawn' within a condition is not allowed
// CLANG-NEXT: {{^}}   [[@LINE+20]] |   if (cilk_spawn f(n))
// CLANG-NEXT: {{^ +\| +\^$}}
// CLANG: bad.c:[[@LINE+18]]:7: note: assign the result
// CLANG: 2 errors generated
// MSVC: bad.c([[@LINE+16]],7): error: 'cilk_spawn' within
// VI: bad.c +[[@LINE+15]]:7: error: 'cilk_spawn' within
// SARIF: {"text":"'cilk_spawn' within a condition is not allowed"}
// PLAIN: error: 'cilk_spawn' within
// PLAIN-NEXT: note: assign
// COLOUR: {{.\[0;1;31m}}error: {{.*}}'cilk_spawn' within
// GREY-NOT: {{.\[0}}
// GREY: error: 'cilk_spawn' within
// LIMIT: fatal error: too many errors emitted

// The analyser sees the serial elision.
// RUN: cilk2chan --analyze -DANALYSE bad.c 2>&1 | FileCheck --check-prefix=ANALYSE %s
// ANALYSE: bad.c:[[@LINE+12]]:10: warning: Dereference of null pointer

#ifndef ANALYSE
int f(int n) {
  if (cilk_spawn f(n))
    return 1;
  return cilk_spawn 1;
}
#else
int *p(int n) {
  int *q = cilk_spawn p(n - 1), *nothing = 0;
  cilk_sync;
  return *nothing + q;
}
#endif
