//===- scope.c - cilk_scope waits for what was spawned in it ------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// However a scope is left, the results of its spawns are there.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>

static int slow(int n) {
  volatile int k = 0;
  while (k < 1000)
    k++;
  return n;
}

static int plain(int n) {
  int x, y = 0;
  cilk_scope {
    x = cilk_spawn slow(n);
    _Cilk_scope { y = cilk_spawn slow(n + 1); }
    CHECK_EQUAL(y, n + 1);
  }
  return x * 100 + y;
}

static int global;
static int *slot(void) { return &global; }

static int returns(int n) {
  cilk_scope {
    *slot() = cilk_spawn slow(n);
    if (n > 3)
      return n;
    global = -1;
  }
  return global;
}

static long jumps(int n) {
  long sum = 0;
  int x = 0, y = 0, i;
  for (i = 0;; i++) {
    cilk_scope {
      x = cilk_spawn slow(i);
      if (i == n)
        break;
      if (i % 2)
        continue;
      if (i == 6)
        goto out;
      while (1) {
        y = cilk_spawn slow(i + 1);
        // Leaves the loop, and not the scope.
        break;
      }
    }
    CHECK_EQUAL(x, i);
    CHECK_EQUAL(y, i + 1);
    sum += y;
  }
out:
  CHECK_EQUAL(x, i);
  sum = sum * 10 + x;
  cilk_scope {
    int again = 0;
  back:
    x += cilk_spawn slow(again);
    if (again++ < 3)
      goto back;
  }
  return sum * 10 + x;
}

static int inSwitch(int n) {
  int x = 0;
  switch (n) {
  case 1:
    cilk_scope {
      x = cilk_spawn slow(5);
      break;
    }
  case 2:
    cilk_scope { x = cilk_spawn slow(6); }
    return x;
  }
  return x;
}

static int around(int n) {
  int sum = 0, values[n];
  cilk_scope {
    cilk_for (int i = 0; i < n; i++) {
      cilk_scope { values[i] = cilk_spawn slow(i); }
      values[i] *= 2;
    }
    cilk_scope {}
  }
  for (int i = 0; i < n; i++)
    sum += values[i];
  return sum;
}

int main(void) {
  CHECK_EQUAL(plain(5), 506);
  CHECK_EQUAL(returns(7), 7);
  CHECK_EQUAL(global, 7);
  returns(1);
  CHECK_EQUAL(jumps(5), ((1 + 3 + 5) * 10 + 5) * 10 + 5 + 6);
  CHECK_EQUAL(jumps(50), ((1 + 3 + 5) * 10 + 6) * 10 + 6 + 6);
  CHECK_EQUAL(inSwitch(1), 5);
  CHECK_EQUAL(inSwitch(2), 6);
  CHECK_EQUAL(around(30), 870);
  printf("%ld\n", jumps(9));
  return 0;
}
