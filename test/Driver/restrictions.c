// restrictions.c - What cannot be split is refused where it stands.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: rm -f %t.o
// RUN: not cilk2chan -DGOTO -c %s -o %t.o 2>&1 | FileCheck --check-prefix=GOTO %s
// RUN: not cilk2chan -ffp-model=strict -c %s -o %t.o 2>&1 | FileCheck --check-prefix=STRICT %s
// RUN: test ! -e %t.o
// RUN: cilk2chan -c %s -o %t.o
// RUN: cilk2chan -DHELPER -c %s -o %t.o
// GOTO: restrictions.c:[[@LINE+16]]:16: error: 'split' cannot spawn: it uses 'asm goto', which is not supported in a spawning function
// STRICT: error: 'split' cannot spawn: it uses strict floating-point semantics

double split(double x);

// On a call cycle with a spawning function, but none itself: it stays whole.
double helper(double x) {
#ifdef HELPER
  __asm__ goto("" : : : : out);
out:
#endif
  return split(x - 1);
}

double split(double x) {
#ifdef GOTO
  __asm__ goto("" : : : : out);
out:
#endif
  if (x < 1)
    return x;
  double y = cilk_spawn helper(x), z = split(x * 0.5);
  cilk_sync;
  return y + z;
}
