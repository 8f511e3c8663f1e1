// array-notation.c - Array notation gets one message for each statement, and no
// other; what has a colon in brackets otherwise is C.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: rm -f %t.o
// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o

// RUN: not cilk2chan -DCUT -c %s -o %t.o 2>&1 | FileCheck --check-prefix=CUT %s
// RUN: cilk2chan -fopenmp -DOTHER -fsyntax-only %s

int f(int *);
#ifndef OTHER
int g(int n, int *a, int *b, int c[4][4]) {
  // CHECK: [[@LINE+1]]:6: error: array notation is not supported: write a loop over the elements, which may be a 'cilk_for'
  a[0:n] = b[n:n] + 1;
  // CHECK: [[@LINE+1]]:5: error: array notation is not supported
  c[:][:] = 12;
  // CHECK: [[@LINE+1]]:14: error: array notation is not supported
  int d = a[0:n:2];
  // CHECK: [[@LINE+1]]:8: error: array notation is not supported
  d += __sec_reduce_add(a[0:n] * b[0:n]);
  // CHECK: [[@LINE+1]]:25: error: array notation is not supported
  if (a[f(&b[n ? 1 : 0]):n] > 5)
    b[0] = 3;
  cilk_spawn f(a);
  return d + a[n ? 1 : 2];
}
// CHECK: 5 errors generated
#else
#pragma omp declare target
int h(int n, int *a) {
  __asm__("nop" : [name] "+r"(n) : [other] "r"(a));
#pragma omp target map(a[0 : n])
  a[({ int k = n ? 1 : 2; switch (k) { case 1: k = 2; } k; })] = 1;
  return _Generic(a[0], int: a[n ? n < 3 ? 1 : 2 : 0]);
}
#pragma omp end declare target
#endif
#ifdef CUT
// CUT: error: array notation is not supported
// CUT: error: expected
int i(int *a) { a[0:
#endif
