//===- apu-orders.c - Orders of atomic accesses in the instructions -- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: cilk2chan -O2 --target=simt --machine=isca14-apu --emit=simt %s | FileCheck %s
// RUN: cilk2chan -O2 --target=simt --machine=isca14-apu %s -o %t
// RUN: %t | FileCheck --check-prefix=RESULT %s
// RUN: chansim run --set memory.protocol=write_combining %t | FileCheck --check-prefix=RESULT %s
// RUN: chansim run --set memory.protocol=write_combining --set channel.width=64 %t | FileCheck --check-prefix=RESULT %s
// RUN: cilk2chan -O2 --target=simt --machine=isca14-apu -DFENCE --emit=simt %s | FileCheck --check-prefix=FENCE %s

#include <stdatomic.h>
#include <stdio.h>

static _Atomic long word, sum;
static volatile long seen;

// The fields of an element are plain; so is the load of the parameter's constant.
// CHECK-LABEL: .source visit
// CHECK: load.i64 {{.*}}, [@word], relaxed
// CHECK: load.i64 {{.*}}, [@word], acquire{{$}}
// CHECK: load.i64 {{.*}}, [@word], acquire_release
// CHECK: store.i64 [@seen], {{.*}}, relaxed
// CHECK: store.i64 [@word], 1, relaxed
// CHECK: store.i64 [@word], 2, release
// CHECK: store.i64 [@word], 3, release
// CHECK: atomic_add.i64 {{.*}}, [@sum], 1, relaxed
// CHECK: atomic_add.i64 {{.*}}, [@sum], 2, acquire{{$}}
// CHECK: atomic_add.i64 {{.*}}, [@sum], 3, release
// CHECK: atomic_add.i64 {{.*}}, [@sum], 4{{$}}
// CHECK: atomic_add.i64 {{.*}}, [@sum], 5{{$}}
// CHECK: cas.i64 {{.*}}, [@word], 7, 8, relaxed
// RESULT: 256 3840

// No instruction is a fence.
// FENCE-LABEL: .source visit
// FENCE: load.i64 {{.*}}, [@word], acquire_release
// FENCE: store.i64 [@word], 1, release
// FENCE: atomic_add.i64 {{.*}}, [@sum], 1{{$}}
// FENCE: cas.i64 {{.*}}, [@word], 7, 8{{$}}

static int visit(int depth) {
  if (depth == 0) {
    long loads = atomic_load_explicit(&word, memory_order_relaxed);
    loads += atomic_load_explicit(&word, memory_order_acquire);
    loads += atomic_load_explicit(&word, memory_order_seq_cst);
    seen = loads;
    atomic_store_explicit(&word, 1, memory_order_relaxed);
    atomic_store_explicit(&word, 2, memory_order_release);
    atomic_store_explicit(&word, 3, memory_order_seq_cst);
#ifdef FENCE
    atomic_thread_fence(memory_order_acquire);
#endif
    atomic_fetch_add_explicit(&sum, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&sum, 2, memory_order_acquire);
    atomic_fetch_add_explicit(&sum, 3, memory_order_release);
    atomic_fetch_add_explicit(&sum, 4, memory_order_acq_rel);
    atomic_fetch_add_explicit(&sum, 5, memory_order_seq_cst);
    long expected = 7;
    atomic_compare_exchange_strong_explicit(
        &word, &expected, 8, memory_order_relaxed, memory_order_relaxed);
    return 1;
  }
  int left = _Cilk_spawn visit(depth - 1);
  int right = _Cilk_spawn visit(depth - 1);
  _Cilk_sync;
  return left + right;
}

int main(void) {
  int leaves = visit(8);
  printf("%d %ld\n", leaves, atomic_load(&sum));
  return 0;
}
