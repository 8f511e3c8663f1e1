//===- loop.mlir - The graph of a parallel loop ---------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --cilk-for-to-spawn --lower-to-chan %s | FileCheck %s

llvm.func @__cilk_body.0(i64, i64, !llvm.ptr)
llvm.func @use(i32)

// The ranges are a channel stack that no C symbol leads to, and need no frame.
// CHECK: chan.kernel @f.0 consumes @f.entry produces [@__cilk_range.0.entry + 1, @f.after1 + 0]
// CHECK: chan.kernel @__cilk_range.0.0 consumes @__cilk_range.0.entry produces [@__cilk_range.0.entry + 1] frame 0 source @f {
// CHECK: llvm.call @__cilk_body.0(
// CHECK: chan.talloc {{.*}}@__cilk_range.0.entry
// CHECK: chan.stack entry @__cilk_range.0.entry(a0: i64, a1: i64, a2: i64, a3: !llvm.ptr) : !llvm.func
// CHECK-NOT: @__cilk_range.0(
llvm.func @f(%n: i64, %p: !llvm.ptr) {
  cilk.for @__cilk_body.0(%p) times %n : !llvm.ptr
  %v = llvm.load %p : !llvm.ptr -> i32
  llvm.call @use(%v) : (i32) -> ()
  llvm.return
}
