//===- aligned-result.mlir - A struct result aligned more than the runtime aligns -===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --cilk-to-chan %s | FileCheck %s


!wide = !llvm.struct<(array<4 x i64>)>

llvm.func @make(!llvm.ptr)
llvm.func @__cilk_apply.0(!llvm.ptr, !llvm.ptr)

llvm.func @f(%p: !llvm.ptr) {
  cilk.spawn @make(%p) to %p apply @__cilk_apply.0 : !llvm.func<void (ptr)>, !llvm.ptr {arg_attrs = [{llvm.sret = !wide, llvm.align = 64 : i64}]}
  llvm.return
}

// Room to move up in, which child and assignment do alike.
// CHECK: %[[RECORD:.*]] = chan.defer 80 in %{{.*}} apply @[[APPLY:.*]] to
// CHECK: %[[BITS:.*]] = llvm.ptrtoint %[[RECORD]]
// CHECK: llvm.mlir.constant(-64 : i64)
// CHECK: %[[SLOT:.*]] = llvm.inttoptr
// CHECK: chan.set "a0" of %{{.*}} to %[[SLOT]]

// CHECK: llvm.func internal @[[APPLY]](%[[TO:.*]]: !llvm.ptr, %[[RESULT:.*]]: !llvm.ptr)
// CHECK: llvm.ptrtoint %[[RESULT]]
// CHECK: llvm.mlir.constant(-64 : i64)
// CHECK: %[[UP:.*]] = llvm.inttoptr
// CHECK: llvm.call @__cilk_apply.0(%[[TO]], %[[UP]])
