//===- sync-in-loop.mlir - A value live in and redefined ------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --lower-to-chan %s | FileCheck %s

llvm.func @work(i32, !llvm.ptr)
// for (i = 0; i != n; ++i) { total = total * 3 + i; spawn work(total, p); sync; }  return total + i;
llvm.func @loop(%n: i32, %p: !llvm.ptr) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  llvm.br ^head(%zero, %zero : i32, i32)
^head(%i: i32, %total: i32):
  %more = llvm.icmp "ne" %i, %n : i32
  llvm.cond_br %more, ^body, ^exit
^body:
  %one = llvm.mlir.constant(1 : i32) : i32
  %three = llvm.mlir.constant(3 : i32) : i32
  %t = llvm.mul %total, %three : i32
  %next = llvm.add %t, %i : i32
  cilk.spawn @work(%next, %p) : !llvm.func<void (i32, ptr)>, i32, !llvm.ptr
  cilk.sync
  %j = llvm.add %i, %one : i32
  llvm.br ^head(%j, %next : i32, i32)
^exit:
  %r = llvm.add %total, %i : i32
  llvm.return %r : i32
}

// The continuation runs the rest of one turn and the beginning of the next.
// CHECK: chan.kernel @loop.0 consumes @loop.entry
// CHECK: chan.kernel @loop.1 consumes @loop.after1 produces [@{{.*}} + 1, @loop.after1 + 0]
// CHECK: %[[F:.*]] = chan.get "frame"
// CHECK: %[[I:.*]] = llvm.alloca
// CHECK: %[[TOTAL:.*]] = llvm.alloca
// CHECK: llvm.load %[[I]]
// CHECK: llvm.load %[[TOTAL]]
// CHECK: llvm.br ^[[HEAD:bb[0-9]+]]

// The loop's variables get new values here.
// CHECK: ^[[HEAD]](%[[J:.*]]: i32, %[[OLD:.*]]: i32):
// CHECK: llvm.store %[[J]], %[[I]]
// CHECK: llvm.mul %[[OLD]]
// CHECK: %[[NEXT:.*]] = llvm.add
// CHECK: llvm.store %[[NEXT]], %[[TOTAL]]
// CHECK: chan.talloc + 1

// What is live is stored as it is now, in the frame that the activation has.
// CHECK: %[[NOW:.*]] = llvm.load %[[I]]
// CHECK: llvm.store %[[NOW]]
// CHECK: chan.talloc + 0 : <@loop.after1>
// CHECK: chan.set "frame" of %{{.*}} to %[[F]]
