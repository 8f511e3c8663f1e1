// coverage.c - The kernels' lines are counted with their file's others.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: cilk2chan --coverage --emit=llvm %s | FileCheck --check-prefix=UNIT %s
// RUN: cilk2chan --coverage %s -o main && env CHAN_WORKERS=1 ./main
// RUN: ls | FileCheck --check-prefix=FILES %s
// RUN: llvm-cov gcov -t main-coverage.gcda | FileCheck %s

// UNIT: !llvm.dbg.cu = !{![[UNIT:[0-9]+]]}
// UNIT-NOT: DICompileUnit
// UNIT: ![[UNIT]] = distinct !DICompileUnit
// UNIT-NOT: DICompileUnit

// FILES-NOT: {{^}}coverage.gc
// FILES: main-coverage.gcda
// FILES-NEXT: main-coverage.gcno

int fib(int n) {
  if (n < 2)
    // CHECK: 8: [[@LINE+1]]: return n;
    return n;
  int x = spawn fib(n - 1);
  int y = spawn fib(n - 2);
  sync;
  // CHECK: 7: [[@LINE+1]]: return x + y;
  return x + y;
}

int main(void) { return fib(5) != 5; }
