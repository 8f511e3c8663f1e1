//===- spawn-block.c - cilk_spawn { block } -----------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A spawned block sees its parent's locals by reference, and may loop and call
// spawning functions.  What it only reads it has as of its spawn: a local of a
// loop's body is another one in the next iteration.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>

static long fib(int n) {
  long x = 0, y = 0;
  if (n < 2)
    return n;
  cilk_spawn { x = fib(n - 1); }
  y = fib(n - 2);
  cilk_sync;
  return x + y;
}

static long mixed(int n) {
  long cells[10], sum = 0, *p = &cells[4];
  for (int i = 0; i < 4; ++i)
    cells[i] = i;
  cilk_spawn {
    for (int k = 4; k < 10; ++k)
      p[k - 4] = fib(k) * n;
  }
  cilk_spawn {
    for (int i = 0; i < 4; ++i)
      sum += cells[i];
  }
  cilk_sync;
  for (int i = 4; i < 10; ++i)
    sum += cells[i];
  return sum;
}

static long iterations(int n, long *const restrict out) {
  long seen = 1, *p = &seen, plain = 5;
  for (int i = 0; i < n; ++i) {
    const int twice = 2 * i;
    _Bool odd = i & 1;
    double half = i / 2.0;
    long *cell = out + i;
    cilk_spawn {
      cilk_spawn { out[n + i] = fib(twice) + (plain); }
      *cell = odd ? -fib(twice) : (long)(half * 4);
    }
  }
  cilk_sync;
  // Reads what it changes through a pointer.
  cilk_spawn {
    *p = 7;
    out[0] = seen;
  }
  cilk_sync;
  long sum = seen;
  for (int i = 0; i < 2 * n; ++i)
    sum = sum * 3 + out[i];
  return sum;
}

int main(void) {
  long out[16] = {0};
  CHECK_EQUAL(fib(15), 610);
  CHECK_EQUAL(mixed(2), 6 + 2 * (3 + 5 + 8 + 13 + 21 + 34));
  printf("%ld %ld\n", fib(16), iterations(8, out));
  for (int i = 1; i < 8; ++i) {
    CHECK_EQUAL(out[i], i % 2 ? -fib(2 * i) : 2 * i);
    CHECK_EQUAL(out[8 + i], fib(2 * i) + 5);
  }
  CHECK_EQUAL(out[0], 7);
  return 0;
}
