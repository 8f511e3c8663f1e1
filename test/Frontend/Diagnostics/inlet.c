// inlet.c - An inlet and an abort are refused, and nothing else.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: rm -f %t.o
// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: test ! -e %t.o
// RUN: not cilk2chan -DABORT -c %s -o %t.o 2>&1 | FileCheck --check-prefix=ABORT %s
// RUN: not cilk2chan -DCUT -c %s -o %t.o 2>&1 | FileCheck --check-prefix=CUT %s

cilk int f(int n) { return n; }
#ifndef ABORT
cilk int g(int n) {
  int best = 0;
  // CHECK: [[@LINE+2]]:3: error: 'inlet' is not supported yet
  // CHECK: [[@LINE+1]]:3: note: assign with 'x op= spawn f()', or combine the results after the sync
  inlet void catch(int result) {
    if (result > best) {
      best = result;
      abort;
    }
  }
  // CHECK: [[@LINE+1]]:3: error: 'inlet' is not supported yet
  inlet int larger(int result, int other);
  catch(spawn f(n));
  best += larger(spawn f(n), 3);
  sync;
  return best;
}
// CHECK: 2 errors generated
#else
void g(int n) {
  spawn f(n);
  // ABORT: [[@LINE+2]]:3: error: 'abort' is not supported yet
  // ABORT: [[@LINE+1]]:3: note: have the children look at a variable that says to stop
  abort;
}
// ABORT: 1 error generated
#endif
#ifdef CUT
// CUT: error: 'inlet' is not supported yet
// CUT: error: 'inlet' is not supported yet
// CUT: [[@LINE+1]]:16: error: 'inlet' is not supported yet
void h(void) { inlet int i(int n) { if (n
#endif
