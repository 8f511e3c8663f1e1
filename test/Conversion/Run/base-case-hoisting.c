// base-case-hoisting.c - Base cases are elements only where their parents do not evaluate them.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -O2 -fchan-batch -fchan-lanes=4 -Rpass=chan-batch -Rpass-missed=chan-batch %s -o %t 2>&1 | FileCheck --check-prefix=REMARKS %s
// RUN: CHAN_WORKERS=1 CHAN_STATS=levels %t 2>&1 | FileCheck --check-prefixes=ANSWER,HOISTED %s
// RUN: cilk2chan -O2 -fchan-batch -fchan-lanes=4 -fno-chan-hoist -Rpass=chan-batch %s -o %t.all 2>&1 | FileCheck --check-prefix=OFF --allow-empty %s
// RUN: CHAN_WORKERS=1 CHAN_STATS=levels %t.all 2>&1 | FileCheck --check-prefixes=ANSWER,ALL %s
// RUN: cilk2chan -O2 -fchan-batch -fchan-lanes=4 -fno-chan-hoist -fno-chan-reductions %s -o %t.waits && CHAN_WORKERS=2 %t.waits | FileCheck --check-prefix=ANSWER %s

// OFF-NOT: that end before
#include <stdio.h>
static int fib(int n) {
  if (n < 2)
    return n;
  // REMARKS-DAG: base-case-hoisting.c:[[# @LINE + 1]]:11: remark: base cases of 'fib' are evaluated in the parent and create no task [-Rpass=chan-batch]
  int a = cilk_spawn fib(n - 1);
  // REMARKS-DAG: base-case-hoisting.c:[[# @LINE + 1]]:11: remark: base cases of 'fib' are evaluated in the parent and create no task [-Rpass=chan-batch]
  int b = cilk_spawn fib(n - 2);
  cilk_sync;
  return a + b;
}

static int depth[64];
static int looked(int n) {
  if (depth[n] == 0)
    return n;
  // REMARKS-DAG: base-case-hoisting.c:[[# @LINE + 1]]:11: remark: base cases of 'looked' create tasks: the parent cannot evaluate them by a little arithmetic on the arguments [-Rpass-missed=chan-batch]
  int a = cilk_spawn looked(n - 1);
  // REMARKS-DAG: base-case-hoisting.c:[[# @LINE + 1]]:11: remark: base cases of 'looked' create tasks: the parent cannot evaluate them by a little arithmetic on the arguments [-Rpass-missed=chan-batch]
  int b = cilk_spawn looked(n - 2);
  cilk_sync;
  return a + b;
}

// ANSWER-DAG: 832040 832040
// HOISTED-DAG: fib.0 batch all 1346268 
// ALL-DAG: fib.0 batch all 2692537 
int main(void) {
  for (int i = 2; i < 64; ++i)
    depth[i] = 1;
  printf("%d ", fib(30));
  printf("%d\n", looked(30));
}
