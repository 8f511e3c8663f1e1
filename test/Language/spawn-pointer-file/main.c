//===- main.c - Pointers between files ----------------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Function pointers that come from another file: spawning and ordinary
// functions behind one type, statics among them, and a callback into this
// file's spawning function.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// VGIW-SAMPLE: yes

#include "../../Support/check.h"
#include "library.h"
#include <cilk/cilk.h>

static long weigh(long n) {
  if (n < 10)
    return n;
  long rest = cilk_spawn weigh(n / 10);
  cilk_sync;
  return rest + n % 10;
}

static long sum_all(long n) {
  long results[Functions];
  for (int i = 0; i < Functions; ++i) {
    transformer f = transformer_at(i);
    results[i] = cilk_spawn f(n);
  }
  cilk_sync;
  long sum = 0;
  for (int i = 0; i < Functions; ++i) {
    CHECK_EQUAL(results[i], transformer_at(i)(n));
    sum += results[i];
  }
  return sum;
}

int main(void) {
  CHECK_EQUAL(sum_all(12), 144 + 24 + 13);
  long values[100], sum = 0;
  for (int i = 0; i < 100; ++i) {
    values[i] = i * 37;
    sum += weigh(values[i]);
  }
  CHECK_EQUAL(apply_all(weigh, values, 100), sum);
  CHECK_EQUAL(apply_all(labs, values, 100), 37 * 50 * 99);
  printf("%ld\n", sum);
  return 0;
}
