// inline-assembly.c - Assembly that the target does not have, in a spawning
// function.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: rm -f %t.o
// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not cilk2chan -DINSTRUCTION -c %s -o %t.o 2>&1 | FileCheck --check-prefix=INSTRUCTION %s
// RUN: not cilk2chan -DLABEL='"again"' -c %s -o %t.o 2>&1 | FileCheck --check-prefix=LABEL %s
// RUN: test ! -e %t.o
// RUN: cilk2chan -DLABEL='"again%%="' -c %s -o %t.o

int f(int);
int g(int n) {
  int x = spawn f(n), y = f(n);
  sync;
#ifdef LABEL
  if (n > 1) {
    spawn f(n);
    sync;
  }
  // Two kernels have it.
  // LABEL: [[@LINE+2]]:11: error: symbol 'again' is already defined
  // LABEL: [[@LINE+1]]:11: note: a function's assembly is copied where the function is split at a sync, or inlined; add '%=' to the label
  __asm__(LABEL ": nop" : "+r"(y));
#elif defined(INSTRUCTION)
  // INSTRUCTION: [[@LINE+1]]:11: error: invalid instruction mnemonic 'nonsense'
  __asm__("nonsense %0" : "+r"(y));
#else
  // CHECK: [[@LINE+1]]:31: error: unknown register name 'r99' in asm
  __asm__("nop" : "+r"(y) : : "r99");
  // CHECK: [[@LINE+1]]:19: error: invalid output constraint '=@' in asm
  __asm__("nop" : "=@"(y));
#endif
  return x + y;
}
