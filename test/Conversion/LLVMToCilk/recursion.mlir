//===- recursion.mlir - Recursion where there is no call stack ------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --llvm-to-cilk=split-recursion=true %s | FileCheck %s
// RUN: cilk2chan-opt --llvm-to-cilk %s | FileCheck %s --check-prefix=STACK

// STACK-NOT: cilk.

llvm.func @outside(i32) -> i32

// Calls itself, without a marker.
// CHECK-LABEL: llvm.func @self
// CHECK: cilk.call @self
llvm.func @self(%n: i32) -> i32 {
  %r = llvm.call @self(%n) : (i32) -> i32
  llvm.return %r : i32
}

// So do these two by turns.
// CHECK-LABEL: llvm.func @even
// CHECK: cilk.call @odd
llvm.func @even(%n: i32) -> i32 {
  %r = llvm.call @odd(%n) : (i32) -> i32
  llvm.return %r : i32
}
// CHECK-LABEL: llvm.func @odd
// CHECK: cilk.call @even
llvm.func @odd(%n: i32) -> i32 {
  %r = llvm.call @even(%n) : (i32) -> i32
  llvm.return %r : i32
}

// What calls one waits for it.
// CHECK-LABEL: llvm.func @between
// CHECK: cilk.call @even
llvm.func @between(%n: i32) -> i32 {
  %r = llvm.call @even(%n) : (i32) -> i32
  llvm.return %r : i32
}

// Ordinary calls stay.
// CHECK-LABEL: llvm.func @apart
// CHECK: llvm.call @outside
llvm.func @apart(%n: i32) -> i32 {
  %r = llvm.call @outside(%n) : (i32) -> i32
  llvm.return %r : i32
}
