//===- static-locals.c - Static locals of spawning functions ------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Static locals are one object for all activations: initialised once, addressed
// by children, private to their function.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>

static int step(int n) {
  static int calls = 100;
  calls += n;
  return calls;
}

/* One child at a time, so the order of the updates is fixed. */
static int counting(int n) {
  static int calls = 5;
  static struct {
    int history[16];
  } past;
  ++calls;
  past.history[n] = calls;
  int last = 0;
  if (n > 0)
    last = cilk_spawn counting(n - 1);
  cilk_sync;
  past.history[n] -= n;
  int here = cilk_spawn step(1);
  cilk_sync;
  return past.history[n] + last * 2 + here % 2;
}

static int counting_serially(int n) {
  int last = 0;
  for (int k = 0; k <= n; ++k)
    last = (5 + n - k + 1 - k) + last * 2 + (101 + k) % 2;
  return last;
}

static void put(int *p, int value) { *p = value; }

static const int *table(void) {
  static int squares[8];
  for (int i = 0; i < 8; ++i)
    cilk_spawn put(&squares[i], i * i);
  return squares;
}

int main(void) {
  CHECK_EQUAL(counting(9), counting_serially(9));
  CHECK_EQUAL(step(0), 110);
  const int *squares = table();
  for (int i = 0; i < 8; ++i)
    CHECK_EQUAL(squares[i], i * i);
  printf("%d\n", counting_serially(9));
  return 0;
}
