//===- constant-in-loop.mlir - Constants are made again in each kernel ----===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --lower-to-chan %s | FileCheck %s

llvm.func @work()
// A value defined in the loop and used after the sync on a later turn's exit.
llvm.func @kept(%n: i32, %p: !llvm.ptr) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^head(%n : i32)
^head(%i: i32):
  %square = llvm.mul %i, %i : i32
  %seven = llvm.mlir.constant(7 : i32) : i32
  cilk.spawn @work() : !llvm.func<void ()>
  cilk.sync
  %c = llvm.icmp "slt" %i, %seven : i32
  %j = llvm.add %i, %one : i32
  llvm.cond_br %c, ^head(%j : i32), ^exit
^exit:
  %r = llvm.add %square, %seven : i32
  llvm.return %r : i32
}

// %seven is defined in the loop and used behind it, which the kernel may reach
// without passing the definition.
// CHECK: chan.kernel @kept.1
// CHECK: %[[SEVEN:.*]] = llvm.mlir.constant(7 : i32)
// CHECK: llvm.br ^bb1
// CHECK-NOT: llvm.mlir.constant(7
// CHECK: llvm.icmp "slt" %{{.*}}, %[[SEVEN]]
// CHECK-NOT: llvm.mlir.constant(7
// CHECK: llvm.add %{{.*}}, %[[SEVEN]]
// CHECK: chan.kernel @call.0
