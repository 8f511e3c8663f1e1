// late-errors.c - What only LLVM finds wrong is reported where it stands, in
// spawning functions as in others, and with Clang's words.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: rm -f %t.o
// RUN: not cilk2chan -O1 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not cilk2chan -O1 -g -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not cilk2chan -DREGISTERS -mno-sse -c %s -o %t.o 2>&1 | FileCheck --check-prefix=SSE %s
// RUN: test ! -e %t.o
// RUN: cilk2chan -O1 -DCALLED -c %s -o %t.o 2>&1 | FileCheck --check-prefix=CALLED --implicit-check-not='{{^}}warning:' %s
// RUN: cilk2chan -O0 -DCALLED -c %s -o %t.o 2>&1 | FileCheck --check-prefix=CALLED --implicit-check-not='{{^}}warning:' %s
// RUN: cilk2chan -DFRAME -Wframe-larger-than=1000 -c %s -o %t.o 2>&1 | FileCheck --check-prefix=FRAME %s

int f(int);
int never(int) __attribute__((error("not this one")));
int rather_not(int) __attribute__((warning("better not")));

#if defined(REGISTERS)
// SSE: late-errors.c:[[@LINE+1]]:8: error: SSE register return with SSE disabled
double spawning(double n) {
  int x = spawn f(1), y = f(2);
  sync;
  return n + x + y;
}
#elif defined(CALLED)
// A function that is split: its parts call one another, which C does not see.
__attribute__((warning("slow"))) int slow(int n) {
  int x = spawn f(n), y = f(2);
  sync;
  cilk_for (int i = 0; i < n; i++)
    f(i);
  return x + y;
}
// CALLED: late-errors.c:[[@LINE+1]]:34: warning: call to 'slow' declared with 'warning' attribute: slow
int ordinary(int n) { return 1 + slow(n); }
#elif defined(FRAME)
// FRAME: late-errors.c:[[@LINE+1]]:5: warning: stack frame size ({{[0-9]+}}) exceeds limit (1000) in 'ordinary' [-Wframe-larger-than]
int ordinary(void) {
  int large[2000];
  __asm__ volatile("" : : "r"(large) : "memory");
  return large[3];
}
#else
int spawning(int n) {
  int x = spawn f(n), y;
  // CHECK-DAG: late-errors.c:[[@LINE+1]]:{{1?}}1: error: invalid instruction mnemonic 'nonsense'
  __asm__("nonsense %0" : "=r"(y));
  // CHECK-DAG: late-errors.c:[[@LINE+1]]:8: error: call to 'never' declared with 'error' attribute: not this one
  y += never(y);
  sync;
  // CHECK-DAG: late-errors.c:[[@LINE+1]]:14: warning: call to 'rather_not' declared with 'warning' attribute: better not [-Wattribute-warning]
  return x + rather_not(y);
}
int ordinary(int n) {
  // CHECK-DAG: late-errors.c:[[@LINE+1]]:10: error: call to 'never' declared with 'error' attribute: not this one
  return never(n);
}
#endif
