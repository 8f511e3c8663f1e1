//===- calls-of-others.mlir - Calls of functions that are not split -------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --lower-to-chan %s | FileCheck %s


llvm.func @outside(i32) -> i32

// Weak: another definition may take its place, so its address decides.
llvm.func weak @weak(%n: i32) -> i32 {
  cilk.spawn @outside(%n) : !llvm.func<i32 (i32)>, i32
  cilk.sync
  llvm.return %n : i32
}

llvm.func @caller(%n: i32) -> i32 {
  cilk.spawn @weak(%n) : !llvm.func<i32 (i32)>, i32
  %a = cilk.call @weak(%n) : !llvm.func<i32 (i32)>, i32 -> i32
  %b = cilk.call @outside(%a) : !llvm.func<i32 (i32)>, i32 -> i32
  cilk.sync
  llvm.return %b : i32
}

// CHECK: chan.kernel @caller.0 consumes @caller.entry produces [@call.0.entry + 1, @caller.after1 + 0]
// CHECK: chan.talloc + 1 for
// CHECK: llvm.call @weak(%{{.*}}) : (i32) -> i32
// CHECK: llvm.call @outside(%{{.*}}) : (i32) -> i32
// CHECK: chan.stack entry @weak.entry(a0: i32, ret: !llvm.ptr) interposable function @weak
// CHECK: chan.stack entry @caller.entry(a0: i32, ret: !llvm.ptr) function @caller
