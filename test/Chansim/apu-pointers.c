// apu-pointers.c - Lanes of a wavefront spawn different functions by their addresses.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The channels of `left` and `right` have elements without the address of a function,
// which those of `half` have: they are found, and measured, at run time, lane by lane.
// RUN: cilk2chan -O2 --target=simt --machine=isca14-apu %s -o %t && %t | FileCheck %s
// RUN: chansim run --set channel.width=64 --set cores=1 %t | FileCheck %s
// CHECK: 4166239

#include <cilk/cilk.h>
#include <stdio.h>

typedef long Function(int);

long left(int i) {
  if (i <= 0)
    return 1;
  long x = cilk_spawn left(i - 64);
  long y = left(i - 65);
  cilk_sync;
  return x + y;
}

long right(int i) {
  if (i <= 0)
    return 1000;
  long x = cilk_spawn right(i - 64);
  long y = right(i - 65);
  cilk_sync;
  return x + y + 1;
}

Function *volatile table[2] = {left, right};

static long half(int i) {
  long x = cilk_spawn table[i & 1](i);
  long y = cilk_spawn table[!(i & 1)](1);
  cilk_sync;
  return x + y;
}

long results[64];

int main() {
  for (int i = 0; i < 64; i++)
    results[i] = cilk_spawn half(i);
  cilk_sync;
  long sum = 0;
  for (int i = 0; i < 64; i++)
    sum += results[i] * (i + 1);
  printf("%ld\n", sum);
}
