/*===- preempted.c - Another library's function of the same name ----------===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
// The program's definition is what the address of 'f' is of, in the library as
// well; so the library's channel is not to be found by it.
// RUN: rm -rf %t && split-file %s %t
// RUN: cilk2chan -w -O2 -fPIC -shared %t/library.c -o %t/library.so
// RUN: cilk2chan -w %t/program.c %t/library.so -Wl,-rpath,%t -o %t/program
// RUN: env CHAN_WORKERS=2 %t/program | FileCheck %s
// RUN: cilk2chan -w -O2 -fno-chan-serial-clones %t/program.c %t/library.so -Wl,-rpath,%t -o %t/program
// RUN: env CHAN_WORKERS=2 %t/program | FileCheck %s
// RUN: cilk2chan -w -DWEAK %t/program.c %t/library.so -Wl,-rpath,%t -o %t/program
// RUN: env CHAN_WORKERS=2 %t/program | FileCheck %s
// CHECK: 95 95

//--- program.c
#include <stdio.h>

static void nothing(void) {}

#ifdef WEAK
__attribute__((weak))
#endif
int f(int d) {
#ifdef WEAK
  cilk_spawn nothing();
#endif
  return 5 + d;
}

int (*volatile p)(int) = f;

static int h(int d, int named) {
  int (*q)(int) = p, x;
  if (d <= 0)
    return 0;
  if (named)
    x = cilk_spawn f(d - 1);
  else
    x = cilk_spawn q(d - 1);
  int y = cilk_spawn h(d - 1, named);
  cilk_sync;
  return x + y;
}

int g(int);
int main(void) {
  if (g(0) != 5)
    return 1;
  printf("%d %d\n", h(10, 0), h(10, 1));
}

//--- library.c
int f(int d) {
  if (d <= 0)
    return 1000;
  int x = cilk_spawn f(d - 1), y = f(d - 2);
  cilk_sync;
  return x + y;
}
int (*volatile pointer)(int) = f;
int g(int d) { return pointer(d); }
