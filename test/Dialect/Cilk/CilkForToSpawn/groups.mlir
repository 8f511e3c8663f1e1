//===- groups.mlir - An outer loop's iterations become work-groups --------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --cilk-for-to-spawn="ranges groups" --split-input-file %s | FileCheck %s

llvm.func @inner(i64, i64, !llvm.ptr)
llvm.func @effect(i32) -> i32

// Ten threads make a group of 16. The array lies in the group's memory, and so
// does what the call returns.
// CHECK-LABEL: llvm.func @outer
// CHECK: %[[THREADS:.*]] = llvm.mul %{{.*}}, %{{.*}} : i64
// CHECK: cilk.call @__cilk_range.1(%{{.*}}, %[[THREADS]], %{{.*}})
llvm.func @outer(%n: i64, %p: !llvm.ptr) {
  cilk.for @__cilk_body.1(%p) times %n : !llvm.ptr
  cilk.sync
  llvm.return
}

// CHECK: llvm.func private @__cilk_range.1(%[[ITERATION:.*]]: i64, %{{.*}}: i64, %[[P:.*]]: !llvm.ptr)
// CHECK-SAME: chan.group = array<i64: 16, 128>, chan.range
// CHECK: llvm.lshr %[[ITERATION]]
// CHECK: %[[THREAD:.*]] = llvm.and %[[ITERATION]]
// CHECK: %[[MEMORY:.*]] = llvm.call @__chan_group_memory()
// CHECK: %[[FIRST:.*]] = llvm.icmp "eq" %[[THREAD]]
// CHECK: %[[ARRAY:.*]] = llvm.getelementptr %[[MEMORY]][0]
// The loop takes turns.
// CHECK: llvm.br ^[[HEADER:.*]](%[[THREAD]] : i64)
// CHECK: ^[[HEADER]](%[[I:.*]]: i64):
// CHECK: llvm.call @inner(%[[I]], %{{.*}}, %[[ARRAY]])
// CHECK: llvm.call @__chan_barrier
// All threads load, and then one calls, for which they wait twice.
// CHECK: %[[LOADED:.*]] = llvm.load %[[P]]
// CHECK-NEXT: llvm.call @__chan_barrier
// CHECK-NEXT: llvm.cond_br %[[FIRST]], ^[[ALONE:.*]], ^[[AFTER:.*]]
// CHECK: ^[[ALONE]]:
// CHECK-NEXT: %[[RESULT:.*]] = llvm.call @effect(%[[LOADED]])
// CHECK-NEXT: %[[SLOT:.*]] = llvm.getelementptr %[[MEMORY]][40]
// CHECK-NEXT: llvm.store %[[RESULT]], %[[SLOT]]
// CHECK: ^[[AFTER]]:
// CHECK-NEXT: llvm.call @__chan_barrier
// CHECK: %[[PASSED:.*]] = llvm.load
// CHECK: llvm.call @__chan_barrier
// CHECK: llvm.store %[[PASSED]], %[[P]]
// Nobody waits for the last store.
// CHECK-NOT: __chan_barrier()
// CHECK: llvm.return
llvm.func @__cilk_body.1(%begin: i64, %end: i64, %p: !llvm.ptr) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %ten = llvm.mlir.constant(10 : i64) : i64
  %a = llvm.alloca %ten x i32 : (i64) -> !llvm.ptr
  llvm.br ^header(%begin : i64)
^header(%i: i64):
  %more = llvm.icmp "ne" %i, %end : i64
  llvm.cond_br %more, ^body, ^end
^body:
  cilk.for @inner(%a) times %ten : !llvm.ptr
  cilk.sync
  %loaded = llvm.load %p : !llvm.ptr -> i32
  %result = llvm.call @effect(%loaded) : (i32) -> i32
  llvm.store %result, %p : i32, !llvm.ptr
  %next = llvm.add %i, %one : i64
  llvm.br ^header(%next : i64)
^end:
  cilk.sync
  llvm.return
}
// The body is needed no more.
// CHECK-NOT: llvm.func @__cilk_body.1

// -----

llvm.func @inner(i64, i64)
llvm.func @spawned()

// These iterations spawn, or their inner loops are long.
// CHECK-LABEL: llvm.func @others
// CHECK-NOT: chan.group
llvm.func @others(%n: i64) {
  cilk.for @__cilk_body.1() times %n
  cilk.for @__cilk_body.2(%n) times %n : i64
  cilk.for @__cilk_body.3() times %n
  cilk.sync
  llvm.return
}
llvm.func @__cilk_body.1(%begin: i64, %end: i64) {
  %ten = llvm.mlir.constant(10 : i64) : i64
  cilk.spawn @spawned() : !llvm.func<void ()>
  cilk.for @inner() times %ten
  cilk.sync
  llvm.return
}
llvm.func @__cilk_body.2(%begin: i64, %end: i64, %n: i64) {
  cilk.for @inner() times %n
  cilk.sync
  llvm.return
}
llvm.func @__cilk_body.3(%begin: i64, %end: i64) {
  %many = llvm.mlir.constant(1025 : i64) : i64
  cilk.for @inner() times %many
  cilk.sync
  llvm.return
}

// -----

llvm.func @inner(i64, i64, !llvm.ptr)

// Too much memory, or of unknown size.
// CHECK-LABEL: llvm.func @large
// CHECK-NOT: chan.group
llvm.func @large(%n: i64) {
  cilk.for @__cilk_body.1() times %n
  cilk.for @__cilk_body.2(%n) times %n : i64
  cilk.sync
  llvm.return
}
llvm.func @__cilk_body.1(%begin: i64, %end: i64) {
  %many = llvm.mlir.constant(12289 : i64) : i64
  %a = llvm.alloca %many x i32 : (i64) -> !llvm.ptr
  cilk.for @inner(%a) times %begin : !llvm.ptr
  cilk.sync
  llvm.return
}
llvm.func @__cilk_body.2(%begin: i64, %end: i64, %n: i64) {
  %a = llvm.alloca %n x i32 : (i64) -> !llvm.ptr
  cilk.for @inner(%a) times %begin : !llvm.ptr
  cilk.sync
  llvm.return
}
