/*===- bounds.c - Searches with a bound that all tasks lower --------------===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
// RUN: cilk2chan -w -fcilk-serialize -O1 %s -o %t.serial
// RUN: %t.serial > %t.want
// RUN: cilk2chan -w -O3 -march=x86-64-v4 -Rpass=chan-simd -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: cilk2chan -w -O2 -march=native -fchan-batch %s -o %t
// RUN: CHAN_WORKERS=1 %t | diff %t.want -
// RUN: CHAN_WORKERS=8 %t | diff %t.want -
// RUN: cilk2chan -w -O2 -march=x86-64-v2 -fchan-batch -fchan-lanes=4 -fno-chan-serial-clones %s -o %t.4
// RUN: CHAN_WORKERS=1 %t.4 | diff %t.want -
// RUN: CHAN_WORKERS=8 %t.4 | diff %t.want -

#include <cilk/cilk.h>
#include <stdatomic.h>
#include <stdio.h>

#define TOWNS 11
static int road[TOWNS][TOWNS];
static atomic_int best, seen[TOWNS];

// Each lane that comes here calls it by itself.
static void lower(int length) {
  int known = atomic_load_explicit(&best, memory_order_relaxed);
  while (length < known && !atomic_compare_exchange_weak(&best, &known, length))
    ;
}

// CHECK: 'travel.batch.0' treats {{[0-9]+}} elements at a time
static void travel(int here, unsigned visited, int left, int length) {
  if (left == 0) {
    lower(length + road[here][0]);
    return;
  }
  for (int next = 1; next < TOWNS; next++) {
    if (visited & 1u << next)
      continue;
    int further = length + road[here][next];
    if (further + left >= atomic_load_explicit(&best, memory_order_relaxed) ||
        further >= atomic_load_explicit(&seen[next], memory_order_relaxed))
      continue;
    cilk_spawn travel(next, visited | 1u << next, left - 1, further);
  }
  cilk_sync;
}

int main(void) {
  for (int k = 0; k < 5; k++) {
    for (int i = 0; i < TOWNS; i++) {
      seen[i] = 1000;
      for (int j = 0; j < TOWNS; j++)
        road[i][j] = 1 + (i * 37 + j * 61 + k * 7 + i * j) % 29;
    }
    best = 1000;
    travel(0, 1, TOWNS - 1, 0);
    printf("%d\n", best);
  }
  return 0;
}
