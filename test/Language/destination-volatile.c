//===- destination-volatile.c - Volatile and atomic destinations --*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Volatile and _Atomic objects, const-qualified paths to them and restrict
// pointers.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>
#include <stdatomic.h>

static atomic_int counted, result;
static volatile long watched;

static int count(int n) {
  if (n > 0) {
    cilk_spawn count(n - 1);
    cilk_spawn count(n - 1);
  }
  atomic_fetch_add(&counted, 1);
  return n;
}

static void run(int *restrict out, int *const fixed) {
  watched = cilk_spawn count(8);
  result = cilk_spawn count(7);
  *out = cilk_spawn count(3);
  *fixed = cilk_spawn count(4);
  cilk_sync;
  watched += cilk_spawn count(2);
}

int main(void) {
  int a = 0, b = 0;
  run(&a, &b);
  CHECK_EQUAL(watched, 10);
  CHECK_EQUAL(result, 7);
  CHECK_EQUAL(a, 3);
  CHECK_EQUAL(b, 4);
  CHECK_EQUAL(counted, 511 + 255 + 15 + 31 + 7);
  printf("%d tasks\n", counted);
  return 0;
}
