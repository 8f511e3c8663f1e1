//===- calls.mlir - Calls between spawning functions ----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --lower-to-chan %s | FileCheck %s

llvm.func @odd(%n: i32) -> i32 {
  %r = cilk.call @even(%n) : !llvm.func<i32 (i32)>, i32 -> i32
  llvm.return %r : i32
}
llvm.func @even(%n: i32) -> i32 {
  %x = llvm.mlir.constant(1 : i32) : i32
  %p = llvm.alloca %x x i32 : (i32) -> !llvm.ptr
  cilk.spawn @odd(%n) to %p : !llvm.func<i32 (i32)>, i32
  %a = cilk.call @odd(%n) : !llvm.func<i32 (i32)>, i32 -> i32
  cilk.sync
  %b = llvm.load %p : !llvm.ptr -> i32
  %c = llvm.add %a, %b : i32
  llvm.return %c : i32
}

// CHECK: chan.kernel @odd.0 consumes @odd.entry produces [@even.entry + 1, @odd.after1 + 0]
// The result arrives in the caller's frame.
// CHECK: %[[F:.*]] = chan.frame
// CHECK: %[[R:.*]] = llvm.getelementptr inbounds %[[F]][8]
// CHECK: chan.talloc + 1 : <@even.entry>
// CHECK: chan.set "ret" of %{{.*}} to %[[R]]
// CHECK: chan.kernel @odd.1
// CHECK: %[[G:.*]] = chan.get "frame"
// CHECK: %[[AT:.*]] = llvm.getelementptr inbounds %[[G]][8]
// CHECK: %[[V:.*]] = llvm.load %[[AT]]
// CHECK: chan.deliver %[[V]]

// The call's wait is also for the child spawned before it.
// CHECK: chan.kernel @even.0 consumes @even.entry produces [@odd.entry + 1, @even.after1 + 0]
// CHECK: chan.talloc + 1 : <@odd.entry>
// CHECK: chan.talloc + 1 : <@odd.entry>
// CHECK: chan.talloc + 0 : <@even.after1>
// CHECK: chan.kernel @even.1 consumes @even.after1 frame
