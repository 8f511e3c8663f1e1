//===- spelling-bare.c - spawn, sync and cilk as bare words -------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cilk-5's words without any include, as in ISCA'14 Figure 8.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"

cilk int fib(int n) {
  if (n < 2)
    return n;
  else {
    int x, y;
    x = spawn fib(n - 1);
    y = spawn fib(n - 2);
    sync;
    return (x + y);
  }
}

static cilk void fill(int *p, int n) {
  if (n == 1) {
    *p = 1;
  } else {
    spawn fill(p, n / 2);
    spawn fill(p + n / 2, n - n / 2);
    sync;
  }
}

cilk static long total(const int *p, int n) {
  long sum = 0;
  for (int i = 0; i < n; i++)
    sum += p[i];
  return sum;
}

cilk int main(int argc, char *argv[]) {
  int n = (int)argument(argc, argv, 1, 15), cells[100], result;
  result = spawn fib(n);
  spawn fill(cells, 100);
  sync;
  long sum = spawn total(cells, 100);
  sync;
  CHECK_EQUAL(sum, 100);
  if (n == 15)
    CHECK_EQUAL(result, 610);
  printf("Result: %d\n", result);
  return 0;
}
