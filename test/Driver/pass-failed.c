// pass-failed.c - Loops that cannot be transformed as they ask for
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The warning is of Clang's group, so that the group's option silences it.
// RUN: cilk2chan -O2 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: cilk2chan -O2 -Wno-pass-failed -c %s -o %t.o 2>&1 | count 0
// CHECK: pass-failed.c:[[#@LINE+7]]:{{[0-9]+}}: warning: loop not unrolled: {{.*}} [-Wpass-failed]

// The code of a machine, which is optimised when it is linked, says nothing without a place.
// RUN: cilk2chan -w -O2 --target=vgiw %s -o %t 2>&1 | count 0

int a[100];
__attribute__((noinline)) static int g(int n) { return n; }
int f(int n) {
  int s = 0;
  __attribute__((opencl_unroll_hint)) for (int i = 0; i < n; i++) s = cilk_spawn g(i);
  cilk_sync;
  return s;
}
int main(void) { return f(0); }
