//===- main.c - Spawned functions of another file -----------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// "Spawned functions defined in another file": spawning and ordinary ones, and
// recursion that goes to and fro between the files.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// VGIW-SAMPLE: yes

#include "../../Support/check.h"
#include "odd.h"
#include <cilk/cilk.h>

long even(int n) {
  if (n == 0)
    return 1;
  long a = cilk_spawn odd(n - 1);
  long b = cilk_spawn ordinary(n, 2);
  cilk_sync;
  return a + b;
}

static long expected(int n) {
  long sum = 1;
  for (int i = 1; i <= n; ++i)
    sum += i % 2 == n % 2 ? 2 * i : 5 * i;
  return sum;
}

int main(void) {
  for (int n = 0; n < 40; n += 2)
    CHECK_EQUAL(even(n), expected(n));
  struct many all = cilk_spawn make_many(3);
  cilk_sync;
  for (int i = 0; i < 12; ++i)
    CHECK_EQUAL(all.value[i], 3 * i);
  long (*chosen)(int) = choose(1);
  long through = cilk_spawn chosen(7);
  cilk_sync;
  CHECK_EQUAL(through, odd(7));
  printf("even(60) = %ld\n", even(60));
  return 0;
}
