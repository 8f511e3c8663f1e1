//===- inline-for.c - Functions with loops, inlined or not --------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is made of a function that C wants inlined, or not, may want the other.
//
//===----------------------------------------------------------------------===//

#include "../Support/check.h"
#include <cilk/cilk.h>

static int a[16];

/// Its leaf, which is what it is for few iterations, is not to be inlined.
static inline __attribute__((always_inline)) void always(int n) {
  cilk_for (int i = 0; i < n; i++)
    a[i] += i + 1;
}

/// There are two of the loop where the second branch is known from the first.
__attribute__((noinline)) void never(int n, int m) {
  if (m)
    a[9]++;
  cilk_for (int i = 0; i < n; i++)
    a[i] += i + 1;
  if (m)
    a[8]++;
}
__attribute__((optnone, noinline)) void plain(int n, int m) {
  if (m)
    a[9]++;
  cilk_for (int i = 0; i < n; i++)
    a[i] += i + 1;
  if (m)
    a[8]++;
}

int main(void) {
  for (int n = 0; n < 8; n++) {
    always(n);
    never(n, n & 1);
    plain(n, n & 2);
  }
  for (int i = 0; i < 8; i++)
    CHECK_EQUAL(a[i], 3 * (i + 1) * (7 - i));
  CHECK_EQUAL(a[8], 8);
  CHECK_EQUAL(a[9], 8);
  return 0;
}
