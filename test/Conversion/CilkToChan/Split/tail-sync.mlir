//===- tail-sync.mlir - Syncs after which nothing is done -----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --lower-to-chan %s | FileCheck %s

llvm.func @work(%n: i32) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %done = llvm.icmp "slt" %n, %one : i32
  llvm.cond_br %done, ^ret, ^more
^more:
  %m = llvm.sub %n, %one : i32
  cilk.spawn @work(%m) : !llvm.func<void (i32)>, i32
  cilk.call @work(%m) : !llvm.func<void (i32)>, i32
  cilk.sync
  llvm.br ^ret
^ret:
  cilk.sync
  llvm.return
}

llvm.func @use(!llvm.ptr)

// A child has the address of a local: the frame must outlive it.
llvm.func @keeps() {
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  cilk.spawn @use(%x) : !llvm.func<void (ptr)>, !llvm.ptr
  cilk.sync
  llvm.return
}

// Live values are in the frame, but no child knows where.
llvm.func @phases(%n: i32) {
  cilk.spawn @work(%n) : !llvm.func<void (i32)>, i32
  cilk.sync
  cilk.spawn @work(%n) : !llvm.func<void (i32)>, i32
  cilk.sync
  llvm.return
}

// The result is there before the children are done, but the caller may not see it yet.
llvm.func @result(%n: i32) -> i32 {
  cilk.spawn @work(%n) : !llvm.func<void (i32)>, i32
  cilk.sync
  llvm.return %n : i32
}

// Something is done after the sync.
llvm.func @store(%n: i32, %p: !llvm.ptr) {
  cilk.spawn @work(%n) : !llvm.func<void (i32)>, i32
  cilk.sync
  llvm.store %n, %p : i32, !llvm.ptr
  llvm.return
}

// Neither frame nor continuation; the call is as good as a spawn.
// CHECK: chan.kernel @work.0 consumes @work.entry produces [@work.entry + 1] frame 0
// CHECK-NOT: chan.kernel @work.1
// CHECK: chan.kernel @keeps.1
// CHECK: chan.kernel @phases.1 consumes @phases.after1 produces [@work.entry + 1] frame
// CHECK: chan.frame_free
// CHECK-NOT: chan.kernel @phases.2
// CHECK: chan.kernel @result.1
// CHECK: chan.kernel @store.1
