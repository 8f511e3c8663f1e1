/*===- weak.c - A definition takes a weak one's place ---------------------===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
// RUN: rm -rf %t && split-file %s %t
// RUN: cilk2chan -w %t/weak.c -o %t/alone && %t/alone | FileCheck --check-prefix=ALONE %s
// RUN: cilk2chan -w %t/weak.c %t/strong.c -o %t/both && %t/both | FileCheck --check-prefix=BOTH %s

// RUN: cilk2chan -O2 -w %t/weak.c -o %t/alone && %t/alone | FileCheck --check-prefix=ALONE %s
// RUN: cilk2chan -O2 -w %t/weak.c %t/strong.c -o %t/both && %t/both | FileCheck --check-prefix=BOTH %s
// RUN: cilk2chan -O2 -fPIC -w %t/weak.c %t/strong.c -o %t/both && %t/both | FileCheck --check-prefix=BOTH %s

// ALONE: 1 1 1
// ALONE-NEXT: 55 22 22
// BOTH: 103 103 103
// BOTH-NEXT: 55 55 55

//--- weak.c
#include <stdio.h>

static void nothing(void) {}

__attribute__((weak)) int f(int n) {
  cilk_spawn nothing();
  cilk_sync;
  return 1;
}

// One is replaced by what calls the other.
__attribute__((weak)) int kept(int n) {
  if (n < 2)
    return n;
  int a = cilk_spawn kept(n - 1), b = kept(n - 2);
  cilk_sync;
  return a + b;
}

__attribute__((weak)) int replaced(int n) {
  if (n < 2)
    return n + 1;
  int a = cilk_spawn kept(n - 1), b = replaced(n - 2);
  cilk_sync;
  return a + b;
}

int main(void) {
  int (*pointer)(int) = f;
  int a = cilk_spawn f(3), b = cilk_spawn pointer(3), c = f(3);
  cilk_sync;
  printf("%d %d %d\n", a, b, c);
  pointer = replaced;
  printf("%d %d %d\n", kept(10), replaced(8), pointer(8));
}

//--- strong.c
int f(int n) { return 100 + n; }

int kept(int n);
int replaced(int n) { return n < 2 ? kept(n + 3) : kept(n) * 2 + replaced(n - 3); }
