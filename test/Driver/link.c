// link.c - One file, several, objects and archives become a program.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: cilk2chan -O2 %s -DMAIN -o one && ./one | FileCheck %s
// RUN: cilk2chan -O0 -g %s -DMAIN -o one && ./one | FileCheck %s
// RUN: cilk2chan -c %s -o fib.o -DNO_MAIN
// RUN: cilk2chan -c %S/Inputs/main.c
// RUN: cilk2chan main.o fib.o -lcilkrts -lopencilk -o two && ./two | FileCheck %s
// RUN: llvm-ar rcs libfib.a fib.o
// RUN: cilk2chan %S/Inputs/main.c -L. -lfib -o three && ./three | FileCheck %s
// RUN: cilk2chan %s %S/Inputs/main.c && ./a.out | FileCheck %s
// RUN: cilk2chan -fuse-ld=bfd main.o -L. -lfib -o four && ./four | FileCheck %s
// CHECK: fib(20) = 6765

#include "Inputs/fib.h"
int fib(int n) {
  if (n < 2)
    return n;
  int x = cilk_spawn fib(n - 1), y = fib(n - 2);
  cilk_sync;
  return x + y;
}

#ifdef MAIN
#include "Inputs/main.c"
#endif
