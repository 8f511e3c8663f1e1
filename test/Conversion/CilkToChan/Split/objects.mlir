//===- objects.mlir - Which local objects live where ----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --lower-to-chan %s | FileCheck %s

llvm.func @g(!llvm.ptr)
llvm.func @objects(%p: !llvm.ptr, %n: i64) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %five = llvm.mlir.constant(5 : i32) : i32
  %before = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %after = llvm.alloca %one x i64 : (i32) -> !llvm.ptr
  %across = llvm.alloca %one x i16 : (i32) -> !llvm.ptr
  %known = llvm.alloca %five x i32 : (i32) -> !llvm.ptr
  %aligned = llvm.alloca %one x i32 {alignment = 64 : i64} : (i32) -> !llvm.ptr
  %three = llvm.mlir.constant(3 : i16) : i16
  llvm.store %one, %before : i32, !llvm.ptr
  llvm.store %three, %across : i16, !llvm.ptr
  cilk.spawn @g(%known) : !llvm.func<void (ptr)>, !llvm.ptr
  cilk.spawn @g(%aligned) : !llvm.func<void (ptr)>, !llvm.ptr
  %dynamic = llvm.alloca %n x i32 : (i64) -> !llvm.ptr
  cilk.spawn @g(%dynamic) : !llvm.func<void (ptr)>, !llvm.ptr
  cilk.sync
  llvm.store %n, %after : i64, !llvm.ptr
  %x = llvm.load %after : !llvm.ptr -> i32
  %y = llvm.load %across : !llvm.ptr -> i32
  %r = llvm.add %x, %y : i32
  llvm.return %r : i32
}

// CHECK: chan.kernel @objects.0 {{.*}} frame 102

// Used in one kernel only: on its stack.
// CHECK: %[[BEFORE:.*]] = llvm.alloca %{{.*}} x i32
// CHECK-NOT: llvm.alloca
// CHECK: llvm.store %{{.*}}, %[[BEFORE]]
// CHECK: %[[F:.*]] = chan.frame 102
// CHECK: %[[ARENA:.*]] = llvm.getelementptr inbounds %[[F]][64]
// CHECK: llvm.store %{{.*}}, %[[ARENA]] : !llvm.ptr, !llvm.ptr
// Used in both: in the frame, as is what a child has the address of.
// CHECK: llvm.getelementptr inbounds %[[F]][100]
// CHECK: %[[KNOWN:.*]] = llvm.getelementptr inbounds %[[F]][80]
// CHECK: chan.set "a0" of %{{.*}} to %[[KNOWN]]

// The frame is aligned to 16 bytes; the object has room to be aligned to 64.
// CHECK: %[[ROOM:.*]] = llvm.getelementptr inbounds %[[F]][0]
// CHECK: %[[BITS:.*]] = llvm.ptrtoint %[[ROOM]]
// CHECK: %[[UP:.*]] = llvm.add %[[BITS]], %{{.*}}
// CHECK: %[[MASK:.*]] = llvm.mlir.constant(-64 : i64)
// CHECK: %[[DOWN:.*]] = llvm.and %[[UP]], %[[MASK]]
// CHECK: %[[ALIGNED:.*]] = llvm.inttoptr %[[DOWN]]
// CHECK: chan.set "a0" of %{{.*}} to %[[ALIGNED]]

// Of a size known at run time: as long as the activation.
// CHECK: %[[BYTES:.*]] = llvm.mul
// CHECK: chan.alloca %[[BYTES]] in %{{.*}} align 4

// CHECK: chan.kernel @objects.1
// CHECK: %[[AFTER:.*]] = llvm.alloca %{{.*}} x i64
// CHECK: llvm.store %{{.*}}, %[[AFTER]]
// CHECK: chan.alloca_free
// CHECK: chan.frame_free
