//===- names.mlir - Kernels do not take the names of others ---------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --lower-to-chan %s | FileCheck %s


llvm.mlir.global internal @call.entry(0 : i32) : i32

llvm.func @outside()

// Its first kernel is @call.0, as is that of the first spawn through a pointer.
llvm.func @call() -> !llvm.ptr {
  cilk.spawn @outside() : !llvm.func<void ()>
  cilk.sync
  %p = llvm.mlir.addressof @call.entry : !llvm.ptr
  llvm.return %p : !llvm.ptr
}

// CHECK: llvm.mlir.global internal @call.entry(0
// CHECK: chan.kernel @[[FIRST:.*]] consumes @[[ENTRY:.*]] produces
// CHECK: llvm.mlir.addressof @call.entry :
// CHECK: chan.stack entry @[[ENTRY]](ret: !llvm.ptr) function @call
// CHECK-NOT: chan.kernel @[[FIRST]] consumes
