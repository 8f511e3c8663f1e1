// dump-after.c - --dump-after prints phases to stderr and compiles on.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan --dump-after=markers,import,cilk --dump-after=chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: cilk2chan --dump-after=host,llvm -c %s -o %t.o 2>&1 | FileCheck --check-prefix=LATE %s
// RUN: test -f %t.o
// CHECK: call void @__cilk_spawn.0(
// CHECK: llvm.call @__cilk_spawn_abi.0(
// CHECK: cilk.spawn @walk
// CHECK: chan.kernel @walk.0
// LATE: llvm.func {{.*}}@walk.0
// LATE: define internal void @walk.0

void walk(int n) {
  if (n == 0)
    return;
  cilk_spawn walk(n - 1);
  cilk_sync;
}
