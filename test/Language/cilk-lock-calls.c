//===- cilk-lock-calls.c - Calls under a Cilk lock ----------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A task may call a spawning function while it holds a lock: no task that wants
// the lock may come between on its thread.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// ELISION: no
// VGIW-SAMPLE: yes

#include "../Support/check.h"
#include <cilk-lib.cilkh>

static Cilk_lockvar first, second;
static long total, calls;

static long later(int n);

static long tree(int n) {
  if (n < 2)
    return 1;
  long a = cilk_spawn tree(n - 1);
  long b = tree(n - 2);
  cilk_sync;
  return a + b;
}

static void add(int n) {
  Cilk_lock(first);
  if (n % 2) {
    Cilk_lock(second);
    calls++;
    Cilk_unlock(second);
  }
  total += tree(n) + later(n);
  Cilk_unlock(first);
  if (n > 0) {
    cilk_spawn add(n - 1);
    cilk_spawn add(n - 1);
    cilk_sync;
  }
}

static long later(int n) {
  long a = cilk_spawn tree(n), b = cilk_spawn tree(n);
  cilk_sync;
  return a - b;
}

int main(void) {
  for (int i = 0; i < 3; i++)
    cilk_spawn add(8);
  cilk_sync;
  CHECK_EQUAL(calls, 3 * (2 + 8 + 32 + 128));
  printf("%ld\n", total);
  return 0;
}
