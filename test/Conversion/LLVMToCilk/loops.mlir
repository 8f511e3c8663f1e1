//===- loops.mlir - Loop markers are raised -------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --llvm-to-cilk --split-input-file --verify-diagnostics %s | FileCheck %s

llvm.func @__cilk_for_abi.0(!llvm.ptr, i64, i64, !llvm.ptr)
llvm.func @__cilk_for_abi.1(!llvm.ptr, i64, i64)
llvm.func @spawning(%n: i32) -> i32 {
  llvm.call @__cilk_sync() : () -> ()
  llvm.return %n : i32
}
llvm.func @__cilk_sync()

// A body is a part of its function: calls of spawning functions are split.
// CHECK-LABEL: llvm.func @__cilk_body.0
llvm.func @__cilk_body.0(%b: i64, %e: i64, %p: !llvm.ptr) {
  %n = llvm.trunc %b : i64 to i32
  // CHECK: cilk.call @spawning
  %r = llvm.call @spawning(%n) : (i32) -> i32
  llvm.return
}
llvm.func @__cilk_body.1(i64, i64)

// CHECK-LABEL: llvm.func @loops
llvm.func @loops(%n: i64, %g: i64, %p: !llvm.ptr) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %first = llvm.mlir.addressof @__cilk_body.0 : !llvm.ptr
  // CHECK: cilk.for @__cilk_body.0(%{{.*}}) times %{{[^ ]*}} : !llvm.ptr
  llvm.call @__cilk_for_abi.0(%first, %n, %zero, %p) : (!llvm.ptr, i64, i64, !llvm.ptr) -> ()
  %second = llvm.mlir.addressof @__cilk_body.1 : !llvm.ptr
  // CHECK: cilk.for @__cilk_body.1() times %{{.*}} grain %
  llvm.call @__cilk_for_abi.1(%second, %n, %g) : (!llvm.ptr, i64, i64) -> ()
  llvm.return
}
// CHECK-NOT: __cilk_for_abi

// -----

llvm.func @__cilk_for_abi.0(!llvm.ptr, i64, i64)
llvm.func @loop(%body: !llvm.ptr, %n: i64) {
  // expected-error @+1 {{marks a loop without a body}}
  llvm.call @__cilk_for_abi.0(%body, %n, %n) : (!llvm.ptr, i64, i64) -> ()
  llvm.return
}
