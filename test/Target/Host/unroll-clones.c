// unroll-clones.c - Loops that spawn are unrolled as in the serial elision.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -O3 -Werror -S -emit-llvm %s -o - | FileCheck %s
// RUN: cilk2chan -O2 -Werror -S -emit-llvm %s -o - | FileCheck %s
// RUN: cilk2chan -Os -Werror -S -emit-llvm %s -o - \
// RUN:   | FileCheck %s --check-prefix=ONCE
// RUN: cilk2chan -O3 -Werror -DPRAGMA -S -emit-llvm %s -o - \
// RUN:   | FileCheck %s --check-prefix=ONCE
// RUN: cilk2chan -O3 -Werror -DTRIPS=n -S -emit-llvm %s -o - \
// RUN:   | FileCheck %s --check-prefix=ONCE
// RUN: cilk2chan -O3 -Werror -DTRIPS=100 -S -emit-llvm %s -o - \
// RUN:   | FileCheck %s --check-prefix=ONCE
// RUN: cilk2chan -O3 -fno-unroll-loops -S -emit-llvm %s -o - \
// RUN:   | FileCheck %s --check-prefix=ONCE

// RUN: cilk2chan -O3 -Werror -DFEW -S -emit-llvm %s -o - \
// RUN:   | FileCheck %s --check-prefix=FEW

#ifndef TRIPS
#define TRIPS 16
#endif

int count[100];
// One question for each child, and one call.
// CHECK: define {{.*}} @search.serial
// CHECK-COUNT-16: @chan_late_open.near(
// CHECK-NOT: @chan_late_open.near(
// CHECK: define
// ONCE: define {{.*}} @search.serial
// ONCE: @chan_late_open.near(
// ONCE-NOT: @chan_late_open.near(
// ONCE: define
void search(unsigned seen, int n) {
  if (n == 0)
    return;
#ifdef PRAGMA
#pragma nounroll
#endif
  for (int i = 0; i < TRIPS; i++)
    if (!(seen >> i & 1))
      cilk_spawn search(seen | 1u << i, n - count[i]);
  cilk_sync;
}

// So are parallel loops, with what they do.
// FEW: define {{.*}} @each.serial
// FEW-NOT: call {{.*}}@__cilk_{{(range|body).[0-9]*}}.serial
// FEW: define
#ifdef FEW
void each(int n) {
  if (n == 0)
    return;
  cilk_for (int i = 0; i < 8; i++)
    if (count[i])
      each(n - 1);
}
#endif
