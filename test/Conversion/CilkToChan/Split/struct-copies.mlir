//===- struct-copies.mlir - Structs whose address is not kept -------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --lower-to-chan %s | FileCheck %s

!big = !llvm.struct<(i64, i64, i64)>

// Who gets a copy, or makes a result, does not know the object's address
// afterwards: these stay on the stack of the kernel that uses them.
// CHECK: chan.kernel @halves.0 {{.*}} frame 16
// CHECK: %[[WHOLE:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(i64, i64, i64)>
// CHECK: chan.copy_out "a0" of %{{.*}} to %[[WHOLE]]
// CHECK: %[[HALF:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(i64, i64, i64)>
// CHECK: llvm.call @part(%[[HALF]], %[[WHOLE]])
// CHECK: chan.copy_in "a0" of %{{.*}} from %[[HALF]] : <@halves.entry>
llvm.func @part(!llvm.ptr {llvm.sret = !big}, !llvm.ptr {llvm.byval = !big})
llvm.func @halves(%s: !llvm.ptr {llvm.byval = !big}) -> i64 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %half = llvm.alloca %one x !big : (i32) -> !llvm.ptr
  %x = llvm.alloca %one x i64 : (i32) -> !llvm.ptr
  llvm.call @part(%half, %s) : (!llvm.ptr {llvm.sret = !big}, !llvm.ptr {llvm.byval = !big}) -> ()
  cilk.spawn @halves(%half) to %x : !llvm.func<i64 (ptr)>, !llvm.ptr {arg_attrs = [{llvm.byval = !big}]}
  cilk.sync
  %v = llvm.load %x : !llvm.ptr -> i64
  llvm.return %v : i64
}

// The kernels of a callee that is split write their result when this one is over.
// CHECK: chan.kernel @waits.0 {{.*}} frame 24
// CHECK-NOT: llvm.alloca
// CHECK: chan.frame 24
// CHECK-NOT: llvm.alloca
llvm.func @waits(%s: !llvm.ptr {llvm.sret = !big}) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %place = llvm.alloca %one x !big : (i32) -> !llvm.ptr
  cilk.call @waits(%place) : !llvm.func<void (ptr)>, !llvm.ptr {arg_attrs = [{llvm.sret = !big}]}
  llvm.return
}
