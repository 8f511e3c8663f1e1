//===- unreachable.mlir - Blocks that control never reaches ---------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --lower-to-chan %s | FileCheck %s


llvm.func @work()

llvm.func @f() -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.return %one : i32
^dead:
  %two = llvm.add %later, %one : i32
  cilk.spawn @work() : !llvm.func<void ()>
  cilk.sync
  %later = llvm.add %two, %one : i32
  llvm.br ^dead
}

// CHECK: chan.kernel @f.0 consumes @f.entry frame 0
// CHECK-NOT: chan.talloc
// CHECK: chan.done
// CHECK-NOT: chan.kernel
