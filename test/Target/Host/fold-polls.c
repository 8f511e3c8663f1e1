// fold-polls.c - Serial clones compare with limits in memory.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -O2 -Werror -fno-chan-batch -march=x86-64 -S %s -o - | FileCheck %s
// RUN: cilk2chan -O2 -Werror -fno-chan-batch -march=x86-64 -S %s -o - \
// RUN:   -mllvm '-opt-disable=(anonymous namespace)::FoldPolls' \
// RUN:   | FileCheck --check-prefix=OFF %s

#include <cilk/cilk.h>

// CHECK-LABEL: fib.serial.body:
// CHECK: cmpq [[STACK:[0-9]+]](%[[WORKER:[a-z0-9]+]]), %rsp
// CHECK-NOT: mov{{.*}}(%[[WORKER]]), %r
// CHECK: cmpq [[POLL:[0-9]+]](%[[WORKER]]), %rsp
// CHECK-NOT: mov{{.*}}(%[[WORKER]]), %r
// CHECK: .size
// OFF-LABEL: fib.serial.body:
// OFF: movq [[POLL:[0-9]+]](%[[WORKER:[a-z0-9]+]]), %[[LIMIT:[a-z0-9]+]]
// OFF-NEXT: cmpq %[[LIMIT]], %rsp
// OFF: .size
long fib(int n) {
  if (n < 2)
    return n;
  long x = cilk_spawn fib(n - 1);
  long y = fib(n - 2);
  cilk_sync;
  return x + y;
}
