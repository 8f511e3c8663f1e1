//===- wild-sync-in-branch.c - A sync in one branch only ----------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// "Sync inside branches": after the branch the children may be done or not, and
// values computed on either way are merged after it.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>

static int triple(int n) { return 3 * n; }

static int one_branch(int n, int wait) {
  int a = cilk_spawn triple(n), early = 0;
  if (wait) {
    cilk_sync;
    early = a;
  }
  int b = cilk_spawn triple(n + 1);
  cilk_sync;
  return a + b + early;
}

static int both_branches(int n) {
  int a = cilk_spawn triple(n), kept = n * 7, result;
  if (n % 2) {
    cilk_sync;
    result = a - kept;
  } else {
    int b = cilk_spawn triple(n / 2);
    cilk_sync;
    result = a + b;
  }
  return result + kept;
}

static int nested(int n, int deep) {
  int a = 0, b = 0, steps = 0;
  if (n > 0) {
    a = cilk_spawn nested(n - 1, deep);
    if (deep) {
      if (n % 3 == 0) {
        cilk_sync;
        steps = a;
      } else {
        ++steps;
      }
    }
    b = cilk_spawn triple(n);
  }
  cilk_sync;
  return a + b + steps;
}

static int nested_serially(int n, int deep) {
  if (n == 0)
    return 0;
  int a = nested_serially(n - 1, deep);
  return a + 3 * n + (deep ? (n % 3 == 0 ? a : 1) : 0);
}

int main(void) {
  CHECK_EQUAL(one_branch(5, 0), 15 + 18);
  CHECK_EQUAL(one_branch(5, 1), 15 + 18 + 15);
  CHECK_EQUAL(both_branches(5), 15);
  CHECK_EQUAL(both_branches(6), 18 + 9 + 42);
  for (int n = 0; n < 12; ++n)
    for (int deep = 0; deep < 2; ++deep)
      CHECK_EQUAL(nested(n, deep), nested_serially(n, deep));
  printf("%d\n", nested(15, 1));
  return 0;
}
