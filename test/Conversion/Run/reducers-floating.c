// reducers-floating.c - Sums of floating-point numbers have the same bits whatever the
// number of workers, the width of channels, and the form of the code.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -O2 %s -o %t && CHAN_WORKERS=1 %t > %t.expected
// RUN: cilk2chan -O0 %s -o %t.o0 && cilk2chan -O2 -fno-chan-serial-clones %s -o %t.kernels
// RUN: for program in %t %t.o0 %t.kernels; do for workers in 1 2 3 4; do for width in 1 5 1000; do \
// RUN:   CHAN_WORKERS=$workers CHAN_WIDTH=$width $program | cmp - %t.expected || exit 1; done; done; done
// RUN: FileCheck %s < %t.expected
// CHECK: 1.{{[0-9]+}}e+00

// If all additions were in another order, the bits would differ.
// RUN: cilk2chan -O2 -fcilk-serialize %s -o %t.serial && %t.serial | not cmp - %t.expected

#include <stdio.h>

void zero(void *view) { *(double *)view = 0; }
void add(void *left, void *right) { *(double *)left += *(double *)right; }
double cilk_reducer(zero, add) sum;
struct pair {
  float first;
  double second;
} cilk_reducer(zero, add) unused;

void tree(int n, double x) {
  sum += x / 3;
  if (n == 0)
    return;
  cilk_spawn tree(n - 1, x / 1.7);
  sum += x / 7;
  tree(n - 1, x / 1.9);
  cilk_spawn tree(n - 1, x / 2.3);
  sum += 1 / x;
}

int main(void) {
  tree(7, 1);
  double cilk_reducer(zero, add) local = 0;
  cilk_for (int i = 1; i < 100000; i++)
    local += 1.0 / i / i;
  printf("%.17e %a\n", local, sum);
}
