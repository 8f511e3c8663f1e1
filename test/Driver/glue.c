// glue.c - What is spared LLVM's passes, and what is not
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// LLVM rotates the loop of a kernel that runs neither in batches nor as a clone, and
// has nothing to do with that of one that does, but for local variables.
// RUN: cilk2chan -O2 -mavx512f -S -emit-llvm %s -o - | FileCheck --check-prefixes=CHECK,GLUE %s
// RUN: cilk2chan -O2 -mavx512f -fno-chan-serial-clones -S -emit-llvm %s -o - | FileCheck --check-prefixes=CHECK,GLUE %s
// RUN: cilk2chan -O2 -mavx512f -fno-chan-batch -S -emit-llvm %s -o - | FileCheck --check-prefixes=CHECK,GLUE %s
// RUN: cilk2chan -O2 -mavx512f -fno-chan-batch -fno-chan-serial-clones -S -emit-llvm %s -o - | FileCheck --check-prefixes=CHECK,LEFT %s
// What has lanes is spared those that look for vectors or find nothing, and most
// runs of InstCombine.
// RUN: cilk2chan -O2 -mavx512f -fchan-batch -Xclang -fdebug-pass-manager -c %s -o %t.o 2>&1 | FileCheck --check-prefix=LANES %s
// LANES-DAG: Skipping pass: LoopVectorizePass on fib.batch.reduce
// LANES-DAG: Skipping pass: SLPVectorizerPass on fib.batch.reduce
// LANES-DAG: Skipping pass: SCCPPass on fib.batch.reduce
// LANES-DAG: Skipping pass: InstCombinePass on fib.batch.reduce
// LANES-DAG: Running pass: SLPVectorizerPass on main
// LANES-DAG: Running pass: SCCPPass on main
// LANES-DAG: Running pass: InstCombinePass on fib.batch.reduce

// Callers have no copies of what enters the runtime.
// CHECK: define {{.*}}i64 @fib({{.*}} #[[ENTERS:[0-9]+]] {
// CHECK-LABEL: define internal void @fib.0(
// GLUE-SAME: #[[GLUE:[0-9]+]] {
// CHECK-NOT: alloca
// GLUE: [[HEAD:[0-9]+]]:
// GLUE-NEXT: %[[INDEX:.*]] = phi i64
// GLUE-NEXT: icmp ult i64 %[[INDEX]]
// GLUE: freeze i64
// GLUE-NEXT: br label %[[HEAD]], !llvm.loop
// LEFT-NOT: freeze
// LEFT: icmp eq i64
// LEFT-NEXT: br i1 {{.*}}, !llvm.loop
// CHECK: ret void
// CHECK: attributes #[[ENTERS]] = { {{.*}}noinline
// It is selected as without optimization.
// GLUE: attributes #[[GLUE]] = { {{.*}}optnone

#include <cilk/cilk.h>

long fib(int n) {
  if (n < 2)
    return n;
  long x = cilk_spawn fib(n - 1);
  long y = fib(n - 2);
  cilk_sync;
  return x + y;
}

int main(void) { return (int)fib(10); }
