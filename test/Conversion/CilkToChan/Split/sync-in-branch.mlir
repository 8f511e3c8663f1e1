//===- sync-in-branch.mlir - A sync on one of two paths -------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --lower-to-chan %s | FileCheck %s

llvm.func @work()
llvm.func @branch(%c: i1) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  cilk.spawn @work() : !llvm.func<void ()>
  llvm.cond_br %c, ^wait, ^join
^wait:
  cilk.sync
  llvm.br ^join
^join:
  cilk.sync
  llvm.return %one : i32
}

// The implicit sync at the end finds a child running on one path only, but cannot know.
// CHECK: chan.kernel @branch.0 consumes @branch.entry produces [@{{.*}} + 1, @branch.after1 + 0, @branch.after2 + 0]
// CHECK: chan.kernel @branch.1 consumes @branch.after1 produces [@branch.after2 + 0]
// CHECK: chan.kernel @branch.2 consumes @branch.after2 frame 8
// CHECK-NOT: chan.talloc
// CHECK: chan.deliver
