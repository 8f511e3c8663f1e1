//===- never-split.mlir - A function without continuations needs no frame for objects ===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --lower-to-chan %s | FileCheck %s


llvm.func @use(!llvm.ptr)

// An empty struct whose address is known elsewhere, and no suspension.
llvm.func @nothing() -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x !llvm.struct<()> : (i32) -> !llvm.ptr
  llvm.call @use(%x) : (!llvm.ptr) -> ()
  cilk.sync
  llvm.return %one : i32
}

// Never returns, so the kernel's stack outlives the children.
llvm.func @forever() {
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.br ^loop
^loop:
  cilk.spawn @use(%x) : !llvm.func<void (ptr)>, !llvm.ptr
  llvm.br ^loop
}

// CHECK: chan.kernel @nothing.0 consumes @nothing.entry frame 0
// CHECK: llvm.alloca %{{.*}} x !llvm.struct<()>
// CHECK: chan.kernel @forever.0 consumes @forever.entry produces [@{{.*}} + 1] frame 0
// CHECK: llvm.alloca %{{.*}} x i32
