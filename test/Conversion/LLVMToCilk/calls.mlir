//===- calls.mlir - Which calls become those of functions to be split -----===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --llvm-to-cilk %s | FileCheck %s

llvm.func @__cilk_sync()
llvm.func @outside(i32) -> i32

llvm.func @odd(%n: i32) -> i32 {
  %a = llvm.call @even(%n) : (i32) -> i32
  %b = llvm.call @outside(%a) : (i32) -> i32
  %wide = llvm.sext %n : i32 to i64
  llvm.call @mistyped(%wide) : (i64) -> ()
  llvm.return %b : i32
}
llvm.func @even(%n: i32) -> i32 {
  llvm.call @__cilk_sync() : () -> ()
  %r = llvm.call @odd(%n) : (i32) -> i32
  %p = llvm.mlir.addressof @odd : !llvm.ptr
  %s = llvm.call %p(%r) : !llvm.ptr, (i32) -> i32
  llvm.return %s : i32
}
llvm.func @mistyped(%n: i64) {
  llvm.call @__cilk_sync() : () -> ()
  llvm.return
}

// CHECK-LABEL: llvm.func @odd
// CHECK: %[[A:.*]] = cilk.call @even(%{{.*}}) : !llvm.func<i32 (i32)>, i32 -> i32
// CHECK: llvm.call @outside(%[[A]])
// CHECK: cilk.call @mistyped
// CHECK-LABEL: llvm.func @even
// CHECK: cilk.sync
// CHECK: cilk.call @odd
// CHECK: llvm.call %
