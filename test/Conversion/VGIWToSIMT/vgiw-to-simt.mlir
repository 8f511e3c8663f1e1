//===- vgiw-to-simt.mlir - Nodes become instructions ----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --vgiw-to-simt --split-input-file %s | FileCheck %s

// Tokens are gone, and constants are operands. The head stays.
// CHECK-LABEL: simt.kernel @words consumes "fib.0" launch "range" source "fib" parameters [#vgiw.binding<capture>, #vgiw.binding<argument>] {
vgiw.kernel @words graph consumes "fib.0" launch range source "fib" parameters [#vgiw.binding<capture>, #vgiw.binding<argument>] {
  %t = vgiw.initiate
  %one = vgiw.constant 1.0 : f32
  %f = vgiw.parameter 0 : f32
  %p = vgiw.parameter 1 : i64
  // CHECK-DAG: %[[F:.*]] = simt.parameter 0 : <s>
  // CHECK-DAG: %[[ONE:.*]] = simt.constant 1065353216 : <s>
  // CHECK: %[[SUM:.*]] = simt.inst "fadd.f32"(%[[F]], %[[ONE]]) : (!simt.reg<s>, !simt.reg<s>) -> !simt.reg<s>
  %a = vgiw.compute fadd %f, %one : (f32, f32) -> f32
  // CHECK: simt.inst "store.f32"(%{{.*}}, %[[SUM]])
  %s = vgiw.store %a to %p : f32
  // CHECK: %[[B:.*]] = simt.inst "load.i8"(%{{.*}}) : (!simt.reg<d>) -> !simt.reg<s>
  %b = vgiw.load %p after %s : !vgiw.token -> i8
  // CHECK: %[[C:.*]] = simt.inst "eq.i8"(%[[B]], %[[B]]) : (!simt.reg<s>, !simt.reg<s>) -> !simt.reg<c>
  %c = vgiw.compute eq %b, %b : (i8, i8) -> i1
  // CHECK: simt.cond_bra %[[C]] : <c>, ^bb{{.}}(%[[B]] : !simt.reg<s>), ^bb
  vgiw.cond_branch %c, ^bb1(%b : i8), ^bb2
^bb1(%x: i8):
  // CHECK: simt.yield ^bb
  %u = vgiw.store %x to %p : i8
  vgiw.yield ^bb1(%x : i8)
^bb2:
  vgiw.exit
}

// -----

// CHECK: simt.exit unreachable
vgiw.kernel @end graph parameters [] {
  vgiw.exit {vgiw.unreachable}
}

// -----

// What is added to an address is part of the instruction; an index is not.
// CHECK-LABEL: simt.kernel @addresses
vgiw.kernel @addresses graph parameters [#vgiw.binding<argument>] {
  %t = vgiw.initiate
  %p = vgiw.parameter 0 + 8 : i64
  %eight = vgiw.constant 8 : i64
  %far = vgiw.constant 8589934592 : i64
  // CHECK: simt.inst "load.i32"(%{{.*}}) + 8 :
  %a = vgiw.load %p -> i32
  // CHECK: %[[Q:.*]] = simt.inst "mad.i64"(%{{.*}}, %{{.*}}, %{{.*}})
  // CHECK: simt.inst "load.i32"(%[[Q]]) + 8 :
  %q = vgiw.compute mad %t, %eight, %p : (i64, i64, i64) -> i64
  %b = vgiw.load %q -> i32
  // CHECK: simt.inst "load.i32"(%{{.*}}) + 16 :
  %r = vgiw.compute add %t, %eight : (i64, i64) -> i64
  %c = vgiw.load %r + 8 -> i32
  // CHECK: %[[FAR:.*]] = simt.inst "add.i64"
  // CHECK: simt.inst "load.i32"(%[[FAR]]) :
  %s = vgiw.compute add %t, %far : (i64, i64) -> i64
  %d = vgiw.load %s -> i32
  // CHECK: %[[I:.*]] = simt.inst "sext.i32.i64"
  // CHECK: %[[X:.*]] = simt.inst "mad.i64"(%[[I]], %{{.*}}, %{{.*}})
  // CHECK: simt.inst "load.f32"(%[[X]]) + 8 :
  %e = vgiw.load %p[%d : i32 * 4] -> f32
  // CHECK: simt.inst "zext.i32.i64"
  %f = vgiw.load %t[%d : i32 zext * 4] -> f32
  // CHECK: simt.inst "cas.i32"(%{{.*}}, %{{.*}}, %{{.*}}) + 8 :
  %g = vgiw.cas %a, %b at %p : i32
  // CHECK: simt.inst "atomic_add.i32"(%{{.*}}, %{{.*}}) + 12 :
  %h = vgiw.atomic add %a to %p + 4 : i32
  // CHECK: simt.inst "reserve.i64"(%{{.*}}) + 8 :
  %i = vgiw.reserve %p
  // CHECK: simt.inst "pop.i64"(%{{.*}}) + 8 :
  %j = vgiw.pop %p
  // CHECK: simt.inst "push.i64"(%{{.*}}, %{{.*}}) + 8 :
  %k = vgiw.push %j on %p
  // CHECK: simt.inst "syscall"(%{{.*}}) calls "f"
  %l = vgiw.syscall "f"(%p)
  // CHECK: simt.inst "heap_call"(%{{.*}}) calls "g"
  %m = vgiw.heap_call "g"(%t)
  vgiw.exit
}

// -----

// Private memory is an operand, and no parameter.
// CHECK-LABEL: simt.kernel @objects
// CHECK-SAME: parameters [#vgiw.binding<argument>] private 32 {
vgiw.kernel @objects graph parameters [#vgiw.binding<argument>, #vgiw.binding<private>] private 32 {
  %t = vgiw.initiate
  %bytes = vgiw.constant 32 : i64
  %p = vgiw.parameter 1 + 16 : i64
  %a = vgiw.compute mad %t, %bytes, %p : (i64, i64, i64) -> i64
  // CHECK: %[[L:.*]] = simt.local
  // CHECK: simt.inst "load.i64"(%{{.*}}) + 16 :
  %b = vgiw.load %a -> i64
  // CHECK: simt.inst "store.i64"(%{{.*}}, %{{.*}}) + 16 :
  %s = vgiw.store %a to %a : i64
  vgiw.exit
}

// -----

// A parameter may be another address when a thread has yielded: what is computed
// from it is computed again.
// CHECK-LABEL: simt.kernel @moves
// CHECK: simt.inst "add.i64"
// CHECK: simt.inst "store.i64"
// CHECK: simt.inst "store.i64"
// CHECK: simt.yield ^[[AFTER:bb[0-9]]]
// CHECK: ^[[AFTER]]:
// CHECK: simt.inst "add.i64"
// CHECK: simt.inst "store.i64"
vgiw.kernel @moves graph parameters [#vgiw.binding<argument>] {
  %t = vgiw.initiate
  %p = vgiw.parameter 0 + 8 : i64
  %a = vgiw.store %p to %t : i64
  %b = vgiw.store %p to %t : i64
  vgiw.yield ^bb1
^bb1:
  %c = vgiw.store %p to %t : i64
  vgiw.exit
}

// -----

// What is computed from a parameter is computed again behind a barrier, too.
// CHECK-LABEL: simt.kernel @groups launch "range" parameters [#vgiw.binding<group>] groups of 16 memory 64 {
// CHECK: simt.inst "store.i64"(%{{.*}}, %{{.*}}) + 8
// CHECK: simt.bar ^[[AFTER:bb[0-9]]](%{{.*}} : !simt.reg<d>)
// CHECK: ^[[AFTER]](%[[X:.*]]: !simt.reg<d>):
// CHECK: %[[P:.*]] = simt.parameter 0
// CHECK: simt.inst "store.i64"(%[[P]], %[[X]])
vgiw.kernel @groups graph launch range parameters [#vgiw.binding<group>] groups of 16 memory 64 {
  %t = vgiw.initiate
  %p = vgiw.parameter 0 + 8 : i64
  %s = vgiw.store %t to %p : i64
  vgiw.barrier ^bb1(%t : i64) after %s : !vgiw.token
^bb1(%x: i64):
  %q = vgiw.parameter 0 : i64
  %r = vgiw.store %x to %q : i64
  vgiw.exit
}
