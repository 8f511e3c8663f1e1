// -fno-chan-combine-results leaves arrays of results alone, and nothing else.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -O2 -fchan-batch -fchan-lanes=4 -Rpass=chan %s -o %t 2>&1 | FileCheck --check-prefix=ON %s
// RUN: CHAN_WORKERS=2 %t | FileCheck --check-prefix=ANSWER %s
// RUN: cilk2chan -O2 -fchan-batch -fchan-lanes=4 -fno-chan-combine-results -Rpass=chan %s -o %t.off 2>&1 | FileCheck --check-prefix=OFF --implicit-check-not='as they come' %s
// RUN: CHAN_WORKERS=2 %t.off | FileCheck --check-prefix=ANSWER %s

#include <stdio.h>
static int tree(int n) {
  if (n < 1)
    return 1;
  int found[4];
  for (int i = 0; i < 4; ++i)
    // ON: results.c:[[# @LINE + 1]]:16: remark: results that are only combined after the sync are combined as they come
    found[i] = cilk_spawn tree(n - 1 - i);
  cilk_sync;
  int sum = 0;
  for (int i = 0; i < 4; ++i)
    sum += found[i];
  return sum;
}

// What results have no array for accumulates with both.
// OFF: calls of 'fib' need not wait for their children
static int fib(int n) {
  if (n < 2)
    return n;
  int a = cilk_spawn fib(n - 1);
  int b = cilk_spawn fib(n - 2);
  cilk_sync;
  return a + b;
}

// ANSWER: 25 6765
int main(void) { printf("%d %d\n", tree(4), fib(20)); }
