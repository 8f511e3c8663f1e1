//===- for-results.c - loops in functions with results ------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions that return something and whose only children, the iterations of a
// loop or functions that are called, return nothing.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// VGIW-SAMPLE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>

static int x[64];

static int zero(void) {
  cilk_for (int i = 0; i < 64; i++)
    x[i] = i;
  return 0;
}

static int last(int n) {
  cilk_for (int i = 0; i < n; i++)
    x[i] += n;
  return x[n - 1];
}

static unsigned char narrow(int n) {
  cilk_for (int i = 0; i < n; i++)
    x[i]++;
  return (unsigned char)n;
}

static void fill(int n) {
  cilk_for (int i = 0; i < n; i++)
    x[i] = 3 * i;
}

static long calls(int n) {
  fill(n);
  return n;
}

static int descend(int n) {
  if (n == 0)
    return 1;
  fill(n);
  return descend(n - 1);
}

static double real(int n) {
  fill(n);
  return n / 2.0;
}

int main(int argc, char **argv) {
  int n = (int)argument(argc, argv, 1, 64);
  CHECK_EQUAL(zero(), 0);
  CHECK_EQUAL(last(n), n - 1 + n);
  CHECK_EQUAL(narrow(n), (unsigned char)n);
  CHECK_EQUAL(x[0], n + 1);
  CHECK_EQUAL(calls(n), n);
  CHECK_EQUAL(descend(n), 1);
  CHECK(real(n) == n / 2.0);
  cilk_for (int i = 0; i < n; i++)
    x[i] -= 2 * i;
  for (int i = 0; i < n; i++)
    CHECK_EQUAL(x[i], i);
  return 0;
}
