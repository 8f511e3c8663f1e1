//===- fib_omp.c - Fibonacci with OpenMP tasks --------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The same program as docs/examples/fib.c, with one task where that spawns.
//
//===----------------------------------------------------------------------===//

#include <stdio.h>
#include <stdlib.h>

static long fib(int n) {
  if (n < 2)
    return n;
  long x, y;
#pragma omp task shared(x)
  x = fib(n - 1);
  y = fib(n - 2);
#pragma omp taskwait
  return x + y;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 30;
  long result = 0;
#pragma omp parallel
#pragma omp single
  result = fib(n);
  printf("fib(%d) = %ld\n", n, result);
  return 0;
}
