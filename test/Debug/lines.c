/*===- lines.c - Addresses in kernels are of C functions and lines --------===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
// What perf and other profilers ask: the function and the line of an address.
// RUN: cilk2chan -g -O2 %s -o %t
// RUN: llvm-nm --defined-only %t | FileCheck --check-prefix=SYMBOLS %s
// RUN: llvm-symbolizer --obj=%t fib.0 fib.1 | FileCheck %s

// SYMBOLS: t fib.0
// SYMBOLS: t fib.1
// CHECK: fib.0
// CHECK-NEXT: lines.c:[[@LINE+4]]:
// CHECK: fib.1
// CHECK-NEXT: lines.c:[[@LINE+2]]:

static int fib(int n) {
  if (n < 2)
    return n;
  int x = cilk_spawn fib(n - 1);
  int y = cilk_spawn fib(n - 2);
  cilk_sync;
  return x + y;
}
int main(int argc, char **argv) { return fib(argc) > 100; }
