// forget-ranges.c - What a guard has computed is no reason for masks.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -O3 -Werror -march=x86-64-v4 -S -emit-llvm %s -o - | FileCheck %s
// RUN: cilk2chan -O3 %s -o %t
// RUN: CHAN_WORKERS=2 %t | FileCheck --check-prefix=VALUE %s

#include <cilk/cilk.h>
#include <stdio.h>

// LLVM finds that n is at most 5, and would add up with one masked load, which
// waits for the stores of single results.
// CHECK: define {{.*}} @explore.serial.body(
// CHECK-NOT: {{range\(i32 1, 6\)|masked.load|^}$}}
// CHECK: {{^}$}}
static long explore(int depth, unsigned key) {
  int n = 1 + key % 5;
  if (depth == 0)
    return n;
  long sub[n];
  cilk_for (int i = 0; i < n; i++)
    sub[i] = explore(depth - 1, key * 2654435761u + i * 40503u + 1);
  long s = 1;
  for (int i = 0; i < n; i++)
    s += sub[i];
  return s;
}

int main(void) {
  // VALUE: 10257
  printf("%ld\n", explore(8, 5));
  return 0;
}
