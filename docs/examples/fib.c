//===- fib.c - Fibonacci numbers, the slow way --------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The smallest fork-join program: one spawn, one call, one sync.
//   cilk2chan -O2 fib.c -o fib && ./fib 40
//
//===----------------------------------------------------------------------===//
// VGIW-ARGS: 18

#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

long fib(int n) {
  if (n < 2)
    return n;
  long x = cilk_spawn fib(n - 1);
  long y = fib(n - 2);
  cilk_sync;
  return x + y;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 30;
  printf("fib(%d) = %ld\n", n, fib(n));
  return 0;
}
