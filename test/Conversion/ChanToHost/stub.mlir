//===- stub.mlir - The C symbol runs one element to the end ---------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --chan-to-host %s | FileCheck %s

!big = !llvm.struct<(i64, i64, i64)>
llvm.func @f(i32, !llvm.ptr {llvm.byval = !big}) -> i16
chan.stack entry @f.entry(a0: i32, a1: !big, ret: !llvm.ptr) function @f : !llvm.func<i16 (i32, ptr)>

chan.kernel @f.0 consumes @f.entry frame 0 source @f {
  %e = chan.deq : <@f.entry>
  chan.tfree %e : <@f.entry>
  chan.done
}

// CHECK-LABEL: llvm.func @__chan_stub.f(
// CHECK-SAME: %[[N:[^:]*]]: i32, %[[S:[^:]*]]: !llvm.ptr) -> i16
// A block of one element: a header of 32 bytes, then 24 + 8 + 4.
// CHECK: %[[B:.*]] = llvm.alloca %{{.*}} x !llvm.array<68 x i8> {alignment = 16 : i64}
// CHECK: %[[R:.*]] = llvm.alloca %{{.*}} x i16
// CHECK: %[[CHANNEL:.*]] = llvm.mlir.addressof @f.entry
// CHECK: llvm.store %[[CHANNEL]], %[[B]]
// CHECK: llvm.getelementptr inbounds %[[B]][8]
// CHECK: llvm.getelementptr inbounds %[[B]][12]
// CHECK: llvm.getelementptr inbounds %[[B]][16]
// CHECK: llvm.store %[[N]]
// CHECK: "llvm.intr.memcpy"(%{{.*}}, %[[S]], %{{.*}})
// CHECK: llvm.store %[[R]]
// CHECK: llvm.call @chan_run(%[[B]])
// CHECK: %[[V:.*]] = llvm.load %[[R]] : !llvm.ptr -> i16
// CHECK: llvm.return %[[V]]
