//===- dynamic-alloca.mlir - Sizes in bytes are computed in 64 bits -------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --lower-to-chan %s | FileCheck %s


llvm.func @use(!llvm.ptr)

llvm.func @f(%n: i32) -> i32 {
  llvm.br ^loop(%n : i32)
^loop(%i: i32):
  %big = llvm.alloca %i x !llvm.array<100000 x i64> {alignment = 32 : i64} : (i32) -> !llvm.ptr
  cilk.spawn @use(%big) : !llvm.func<void (ptr)>, !llvm.ptr
  %one = llvm.mlir.constant(1 : i32) : i32
  %again = llvm.icmp "ugt" %i, %one : i32
  %j = llvm.sub %i, %one : i32
  llvm.cond_br %again, ^loop(%j : i32), ^exit
^exit:
  cilk.sync
  llvm.return %n : i32
}

// CHECK: %[[COUNT:.*]] = llvm.zext %{{.*}} : i32 to i64
// CHECK: %[[UNIT:.*]] = llvm.mlir.constant(800000 : i64)
// CHECK: %[[BYTES:.*]] = llvm.mul %[[COUNT]], %[[UNIT]]
// CHECK: chan.alloca %[[BYTES]] in %{{.*}} align 32 : i64
