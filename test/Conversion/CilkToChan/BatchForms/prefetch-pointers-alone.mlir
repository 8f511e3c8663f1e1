//===- prefetch-pointers-alone.mlir - chan-prefetch-pointers alone --------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --chan-entry-stacks --chan-batch-forms %s | FileCheck --check-prefix=BEFORE %s
// RUN: cilk2chan-opt --chan-entry-stacks --chan-batch-forms %s | cilk2chan-opt --chan-prefetch-pointers | FileCheck %s

// The parent loads the pointer, and the child begins by following it.
// BEFORE-NOT: prefetched
// CHECK: cilk.spawn @walk
// CHECK: chan.stack entry @walk.entry{{.*}} prefetched ["a0"]
llvm.func @walk(%node: !llvm.ptr, %n: i64) {
  %null = llvm.mlir.zero : !llvm.ptr
  %left = llvm.load %node : !llvm.ptr -> !llvm.ptr
  %isLast = llvm.icmp "eq" %left, %null : !llvm.ptr
  llvm.cond_br %isLast, ^end, ^more
^more:
  cilk.spawn @walk(%left, %n) : !llvm.func<void (ptr, i64)>, !llvm.ptr, i64
  cilk.sync
  llvm.br ^end
^end:
  llvm.store %n, %node : i64, !llvm.ptr
  llvm.return
}
