// big-objects.c - Locals of more bytes than MLIR's indices and C's int count
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: for bits in 28 31; do for level in 0 1 2; do cilk2chan -w -O$level -DBITS=$bits %s -o %t && CHAN_WORKERS=2 %t | FileCheck %s || exit 1; done; done
// RUN: cilk2chan -w -O2 -fno-chan-serial -DBITS=31 %s -o %t && CHAN_WORKERS=2 %t | FileCheck %s
// RUN: cilk2chan -w -O2 -fcilk-serialize -DBITS=31 %s -o %t && (ulimit -s unlimited && %t) | FileCheck %s
// RUN: cilk2chan -w -O2 -DBITS=33 -c %s -o %t.o
// CHECK: 3 4 5 6 7

#include <stdio.h>

#define SIZE (1L << BITS)

struct large {
  char before[SIZE];
  int member;
  char after[SIZE];
};

static void set(int *p, int v) { *p = v; }

static int work(int n) {
  char first[SIZE];
  struct large large;
  int last[4];
  int small;
  cilk_spawn set((int *)(first + n), 3);
  cilk_spawn set((int *)(first + SIZE - 4), 4);
  cilk_spawn set(&large.member, 5);
  small = 6;
  set(&last[n - 4], 7);
  cilk_sync;
  printf("%d %d %d %d %d\n", *(int *)(first + n), *(int *)(first + SIZE - 4),
         large.member, small, last[n - 4]);
  return n;
}

int main(void) { return work(4) - 4; }
