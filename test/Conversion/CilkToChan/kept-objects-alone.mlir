//===- kept-objects-alone.mlir - An object for each iteration -------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --chan-kept-objects %s | FileCheck %s

// CHECK-LABEL: llvm.func @each
// CHECK: ^bb1:
// CHECK: %[[OBJECT:.*]] = llvm.alloca %{{.*}} x i64 {chan.kept}
// CHECK-NOT: lifetime
// CHECK: cilk.spawn @use(%[[OBJECT]])
llvm.func @use(!llvm.ptr)
llvm.func @each(%more: i1) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %x = llvm.alloca %one x i64 : (i64) -> !llvm.ptr
  llvm.br ^body
^body:
  llvm.intr.lifetime.start %x : !llvm.ptr
  cilk.spawn @use(%x) : !llvm.func<void (ptr)>, !llvm.ptr
  llvm.cond_br %more, ^body, ^end
^end:
  cilk.sync {chan.releases}
  llvm.return
}
