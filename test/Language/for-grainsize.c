//===- for-grainsize.c - the spellings of a grainsize -------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A grainsize is any integer expression, evaluated once before the loop, and
// stands where a statement may.
//
//===----------------------------------------------------------------------===//
// CFLAGS: -Wall -Wextra -Werror

#include "../Support/check.h"
#include <cilk/cilk.h>

#ifndef __cilk
#pragma clang diagnostic ignored "-Wunknown-pragmas"
#pragma clang diagnostic ignored "-Wunused-variable"
#endif

static long sum;
static void add(long value) {
  __atomic_add_fetch(&sum, value, __ATOMIC_RELAXED);
}

#define GRAIN 7

static int calls;
static int grain(int i) {
  ++calls;
  return i;
}

static void branches(int flag) {
  if (flag)
#pragma cilk grainsize 2
    cilk_for (int i = 0; i < 10; i++)
      add(i);
  else
#pragma cilk grainsize 3
    cilk_for (int i = 0; i < 10; i++)
      add(2 * i);
  if (!flag)
#pragma cilk grainsize 2
    cilk_for (int i = 0; i < 10; i++)
      add(i);
}

int main(void) {
  int i = 5;
  unsigned long long huge = -1ULL;
#pragma cilk grainsize 4
  cilk_for (int k = 0; k < 100; k++)
    add(k);
#pragma cilk grainsize = GRAIN
  cilk_for (int k = 0; k < 100; k++)
    add(k);
#pragma cilk grainsize(GRAIN * 2 + (int)sizeof i)
  cilk_for (int k = 0; k < 100; k++)
    add(k);
#pragma grainsize 3
  cilk_for (int k = 0; k < 100; k++)
    add(k);
  // The variable of the function, not of the loop.
#pragma cilk grainsize = i
  cilk_for (int i = 0; i < 100; i++)
    add(i);
#pragma cilk grainsize = 0
  cilk_for (int k = 0; k < 100; k++)
    add(k);
#pragma cilk grainsize = i - 8
  cilk_for (int k = 0; k < 100; k++)
    add(k);
#pragma cilk grainsize huge
  cilk_for (int k = 0; k < 100; k++)
    add(k);
#pragma cilk grainsize 'a'
  cilk_for (int k = 0; k < 100; k++)
    add(k);
  _Pragma("cilk grainsize 9") cilk_for (int k = 0; k < 100; k++) add(k);
#pragma cilk grainsize 6
#pragma clang loop unroll(disable)
  cilk_for (int k = 0; k < 100; k++)
    add(k);
#ifdef __cilk
#pragma cilk grainsize grain(5)
#else
  grain(5);
#endif
  cilk_for (int k = 0; k < 100; k++) {
#pragma cilk grainsize k
    cilk_for (int m = 0; m < k; m++)
      add(m);
  }
  branches(0);
  branches(1);
  switch (i) {
#pragma cilk grainsize 2
    cilk_for (int k = 0; k < 100; k++)
      add(k);
  case 5:
#pragma cilk grainsize 2
    cilk_for (int k = 0; k < 100; k++)
      add(k);
  }
  CHECK_EQUAL(calls, 1);
  printf("%ld\n", sum);
  return 0;
}
