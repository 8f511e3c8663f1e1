/*===- weak.c - A definition takes a weak one's place ---------------------===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
// RUN: rm -rf %t && split-file %s %t
// RUN: cilk2chan -w %t/weak.c -o %t/alone && %t/alone | FileCheck --check-prefix=ALONE %s
// RUN: cilk2chan -w %t/weak.c %t/strong.c -o %t/both && %t/both | FileCheck --check-prefix=BOTH %s

// ALONE: 1 1 1
// BOTH: 103 103 103

//--- weak.c
#include <stdio.h>

static void nothing(void) {}

__attribute__((weak)) int f(int n) {
  cilk_spawn nothing();
  cilk_sync;
  return 1;
}

int main(void) {
  int (*pointer)(int) = f;
  int a = cilk_spawn f(3), b = cilk_spawn pointer(3), c = f(3);
  cilk_sync;
  printf("%d %d %d\n", a, b, c);
}

//--- strong.c
int f(int n) { return 100 + n; }
