//===- frames.mlir - Small frames are recycled inline, large ones are the runtime's -===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --chan-to-host %s | FileCheck %s

chan.stack entry @small(n: i32)
chan.stack entry @edge(n: i32)
chan.stack entry @large(n: i32)

chan.kernel @s consumes @small frame 40 {
  %e = chan.deq : <@small>
  chan.tfree %e : <@small>
  %f = chan.frame 40
  chan.frame_free %f, 40
  chan.done
}

// The largest class.
chan.kernel @e consumes @edge frame 1024 {
  %e = chan.deq : <@edge>
  chan.tfree %e : <@edge>
  %f = chan.frame 1024
  chan.frame_free %f, 1024
  chan.done
}

chan.kernel @l consumes @large frame 1025 {
  %e = chan.deq : <@large>
  chan.tfree %e : <@large>
  %f = chan.frame 1025
  chan.frame_free %f, 1025
  chan.done
}

// 40 bytes are of class 2, whose list is at 8 + 2 * 8.
// CHECK-LABEL: llvm.func internal @s(
// CHECK-SAME: %[[W:[^:]*]]: !llvm.ptr
// CHECK: %[[LIST:.*]] = llvm.getelementptr inbounds %[[W]][24]
// CHECK: %[[FREE:.*]] = llvm.load %[[LIST]]
// CHECK: %[[EMPTY:.*]] = llvm.icmp "eq" %[[FREE]]
// CHECK: llvm.cond_br %[[EMPTY]] weights([1, 2000]), ^[[SLOW:bb[0-9]+]], ^[[FAST:bb[0-9]+]]
// CHECK: ^[[SLOW]]:
// CHECK: %[[CLASS:.*]] = llvm.mlir.constant(2 : i32)
// CHECK: %[[SIZE:.*]] = llvm.mlir.constant(40 : i64)
// CHECK: llvm.call @chan_frame_new(%[[W]], %[[CLASS]], %[[SIZE]])
// CHECK: ^[[FAST]]:
// CHECK: %[[REST:.*]] = llvm.load %[[FREE]]
// CHECK: llvm.store %[[REST]]
// CHECK: ^{{.*}}(%[[F:.*]]: !llvm.ptr):
// CHECK: %[[HEAD:.*]] = llvm.load
// CHECK: llvm.store %[[HEAD]], %[[F]]
// CHECK: llvm.store %[[F]]
// CHECK-NOT: chan_frame_delete

// CHECK-LABEL: llvm.func internal @e(
// CHECK: llvm.getelementptr inbounds %{{.*}}[512]
// CHECK: llvm.mlir.constant(63 : i32)

// CHECK-LABEL: llvm.func internal @l(
// CHECK-SAME: %[[W:[^:]*]]: !llvm.ptr
// CHECK: %[[CLASS:.*]] = llvm.mlir.constant(64 : i32)
// CHECK: %[[F:.*]] = llvm.call @chan_frame_new(%[[W]], %[[CLASS]]
// CHECK: llvm.call @chan_frame_delete(%[[W]], %[[F]]
