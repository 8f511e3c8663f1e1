// apu-ranges.c - Loops in a spawn tree: elements of channels that are ranges.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cilk/cilk.h>
#include <stdio.h>
static int a[20000];
static void fill(int lo, int n) {
  cilk_for (int i = lo; i < lo + n; ++i)
    a[i] = 3 * i;
}
static void all(int lo, int n) {
  if (n <= 500) {
    fill(lo, n);
    return;
  }
  cilk_spawn all(lo, n / 2);
  all(lo + n / 2, n - n / 2);
  cilk_sync;
}
int main() {
  all(0, 20000);
  long s = 0;
  for (int i = 0; i < 20000; ++i)
    s += a[i];
  printf("%ld\n", s);
}
