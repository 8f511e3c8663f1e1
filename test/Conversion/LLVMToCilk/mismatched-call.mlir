//===- mismatched-call.mlir - A call that disagrees with the definition stays a call -===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --llvm-to-cilk %s | FileCheck %s
// RUN: cilk2chan-opt --llvm-to-cilk --lower-to-chan %s | FileCheck --check-prefix=CHAN %s

llvm.func @__cilk_sync()

// @g is on the cycle, but has nothing to be split at.
llvm.func @f(%n: i32) {
  llvm.call @__cilk_sync() : () -> ()
  llvm.call @g(%n) : (i32) -> ()
  llvm.return
}
llvm.func @g(%n: i32) {
  %p = llvm.mlir.addressof @f : !llvm.ptr
  %wide = llvm.sext %n : i32 to i64
  llvm.call @h(%n) : (i32) -> ()
  llvm.return
}
llvm.func @h(%n: i32) {
  llvm.call fastcc @f(%n) : (i32) -> ()
  llvm.return
}

// CHECK-LABEL: llvm.func @h
// CHECK: llvm.call fastcc @f
// CHAN: chan.kernel @f.0
// CHAN: chan.kernel @g.0
// CHAN: llvm.call @h(
// CHAN: llvm.call fastcc @f(
