// form-rotations.c - Leaves rotate as the elision does.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -O2 -Werror -S -emit-llvm %s -o - \
// RUN:   > %t.ll
// RUN: FileCheck %s --check-prefix=LEFT < %t.ll
// RUN: FileCheck %s --check-prefix=RIGHT < %t.ll
// RUN: cilk2chan -w -fcilk-serialize -O1 %s -o %t.serial
// RUN: %t.serial > %t.want
// RUN: cilk2chan -w -O2 %s -o %t
// RUN: CHAN_WORKERS=2 %t | diff %t.want -
// RUN: cilk2chan -w -O2 -march=native -fchan-batch %s -o %t.batch
// RUN: CHAN_WORKERS=1 %t.batch | diff %t.want -

#include <stdio.h>

static unsigned long left(unsigned long x, unsigned k) {
  return x << (k & 63) | x >> (-k & 63);
}
static unsigned right(unsigned x, int k) {
  return x << (-k & 31) | x >> (k & 31);
}
// Of no power of two, and of another value: no rotations.
static unsigned _BitInt(40) none(unsigned _BitInt(40) x, unsigned k) {
  return x << (k & 39) | x >> (-k & 39);
}
static unsigned funnel(unsigned x, unsigned y, unsigned k) {
  return x << (k & 31) | y >> (-k & 31);
}

// The leaf knows that its amounts are small.
// LEFT: define {{.*}} @lefts.serial.base
// LEFT-NOT: {{lshr|^[}]}}
// LEFT: call {{.*}} @llvm.fshl.i64(
// LEFT-NOT: lshr
// LEFT: {{^}}}
static unsigned long lefts(unsigned long x, int d) {
  if (d <= 3) {
    for (int i = 0; i <= d; i++)
      x = left(x * 0x9E3779B97F4A7C15ul, i + 13);
    return x;
  }
  unsigned long a = cilk_spawn lefts(x + 1, d - 1);
  unsigned long b = lefts(x - 1, d - 2);
  cilk_sync;
  return a ^ left(b, d);
}

// RIGHT: define {{.*}} @rights.serial.base
// RIGHT-NOT: {{^[}]}}
// RIGHT: call {{.*}} @llvm.fsh{{l|r}}.i32(i32 %[[X:.*]], i32 %[[X]],
// RIGHT: {{^}}}
static unsigned rights(unsigned x, int d) {
  if (d <= 3) {
    for (int i = 0; i <= d; i++)
      x = right(x * 0x9E3779B9u, 5 - i);
    return x ^ (unsigned)none(x, x & 31) ^ funnel(x, x + 1, x >> 9);
  }
  unsigned a = cilk_spawn rights(x + 1, d - 1);
  unsigned b = rights(x - 1, d - 2);
  cilk_sync;
  return a ^ right(b, d);
}

int main(void) {
  printf("%lx %x\n", lefts(1, 22), rights(1, 22));
  printf("%lx %x\n", left(5, 64), right(5, -32));
  return 0;
}
