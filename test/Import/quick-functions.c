// quick-functions.c - What is a few instructions says so: batches may call it.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -O2 -Wno-cilk --dump-after=import -c %s -o /dev/null 2>&1 | FileCheck %s
// CHECK-NOT: llvm.func @{{waits|calls|weak|far}}({{.*}}"chan.quick"
// CHECK-DAG: llvm.func @lower({{.*}}"chan.quick"
// CHECK-DAG: llvm.func @twice({{.*}}"chan.quick"
// CHECK-NOT: llvm.func @{{waits|calls|weak|far}}({{.*}}"chan.quick"

#include <stdatomic.h>

static atomic_int best;
int fib(int);
void far(void);

// A loop that tries again is no loop that takes long.
__attribute__((noinline)) static void lower(int length) {
  int known = atomic_load_explicit(&best, memory_order_relaxed);
  while (length < known && !atomic_compare_exchange_weak(&best, &known, length))
    ;
}
__attribute__((noinline)) static void twice(int n) {
  lower(n);
  lower(2 * n);
}
__attribute__((noinline)) static void waits(int n) {
  while (atomic_load(&best) < n)
    ;
}
__attribute__((noinline)) static void calls(int n) {
  lower(n);
  far();
}
__attribute__((weak)) void weak(int n) { lower(n); }

int f(int n) {
  int x = cilk_spawn fib(n);
  lower(n);
  twice(n);
  waits(n);
  calls(n);
  weak(n);
  far();
  cilk_sync;
  return x;
}
