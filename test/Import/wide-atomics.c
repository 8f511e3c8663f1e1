// wide-atomics.c - MLIR has no form for atomic accesses of 16 bytes
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// They are calls in MLIR, and inlined at the end, whatever the level.
// RUN: cilk2chan -O2 --dump-after=import -c %s -o %t.o 2>&1 | FileCheck --check-prefix=IMPORT %s
// RUN: for level in 0 2; do cilk2chan -O$level -S %s -o - | FileCheck %s || exit 1; done

// IMPORT-LABEL: llvm.func @f(
// IMPORT: llvm.atomicrmw add {{.*}} i64
// IMPORT: llvm.call @__cilk_atomic(%{{.*}}, %{{.*}}) : (!llvm.ptr, i128) -> i128
// CHECK-NOT: __cilk_atomic
// CHECK: __atomic_fetch_add_16
// CHECK-NOT: __cilk_atomic
int g(int);
int f(_Atomic __int128 *wide, _Atomic long *word, int n) {
  int x = cilk_spawn g(n);
  *word += n;
  *wide += n;
  cilk_sync;
  return x;
}
