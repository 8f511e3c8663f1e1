// restrictions.c - What cannot be split is refused where it stands.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: rm -f %t.o
// RUN: not cilk2chan -DGOTO -c %s -o %t.o 2>&1 | FileCheck --check-prefix=GOTO %s
// RUN: not cilk2chan -ffp-model=strict -c %s -o %t.o 2>&1 | FileCheck --check-prefix=STRICT %s
// RUN: test ! -e %t.o
// RUN: cilk2chan -c %s -o %t.o
// RUN: cilk2chan -DHELPER -c %s -o %t.o
// RUN: not cilk2chan -DMETADATA -c %s -o %t.o 2>&1 | FileCheck --check-prefix=METADATA %s
// RUN: not cilk2chan -DSEH --target=x86_64-pc-windows-msvc -c %s -o %t.o 2>&1 | FileCheck --check-prefix=SEH %s

double split(double x);

// On a call cycle with a spawning function, but none itself: it stays whole.
double helper(double x) {
#ifdef HELPER
  __asm__ goto("" : : : : out);
out:
#endif
  return split(x - 1);
}

// METADATA: restrictions.c:[[@LINE+7]]:8: error: 'split' cannot spawn or sync: it uses a builtin that depends on metadata
// SEH: restrictions.c:[[@LINE+6]]:8: error: a function cannot spawn or sync on 'x86_64-pc-windows-msvc{{.*}}': the runtime is for Linux on x86-64 and AArch64
// STRICT: restrictions.c:[[@LINE+5]]:8: error: 'split' cannot spawn or sync: it uses floating-point arithmetic with strict semantics ('-ffp-model=strict', '#pragma STDC FENV_ACCESS')
// STRICT-NEXT: double split(double x) {
// STRICT-NEXT: {{^ *\|        \^$}}
// STRICT-NEXT: restrictions.c:[[@LINE+2]]:8: note: move it to a function that neither spawns nor syncs, and call that
// GOTO: restrictions.c:[[@LINE+13]]:16: error: 'split' cannot spawn or sync: it uses 'asm goto'
double split(double x) {
#ifdef METADATA
  if (__builtin_allow_runtime_check("check"))
    x++;
#endif
#ifdef SEH
  __try {
    x = helper(x);
  } __except (1) {
  }
#endif
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
