//===- polls.mlir - What serial clones poll for, and where ----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --lower-to-chan=serial-clones %s | FileCheck %s

// Of what is called, and of what is waited for at once, other workers can only have
// a part, for which the callee polls: the caller polls for the stack's end.

llvm.func @waits(%n: i32, %p: !llvm.ptr) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %base = llvm.icmp "slt" %n, %one : i32
  llvm.cond_br %base, ^ret(%n : i32), ^recurse
^recurse:
  %n1 = llvm.sub %n, %one : i32
  cilk.spawn @waits(%n1, %p) to %x : !llvm.func<i32 (i32, ptr)>, i32, !llvm.ptr
  %n2 = llvm.sub %n1, %one : i32
  cilk.sync
  %a = llvm.load %x : !llvm.ptr -> i32
  %b = cilk.call @waits(%n2, %p) : !llvm.func<i32 (i32, ptr)>, i32, !llvm.ptr -> i32
  %s = llvm.add %a, %b : i32
  llvm.br ^ret(%s : i32)
^ret(%r: i32):
  llvm.return %r : i32
}

// CHECK-LABEL: llvm.func internal @waits.serial.body(
// CHECK: llvm.getelementptr %{{.*}}[520]
// CHECK-NOT: [528]
// CHECK: @chan_promote.near(

// Something is done meanwhile, after the first, if only by the callee.

llvm.func @works(%n: i32, %p: !llvm.ptr) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %base = llvm.icmp "slt" %n, %one : i32
  llvm.cond_br %base, ^ret(%n : i32), ^recurse
^recurse:
  %n1 = llvm.sub %n, %one : i32
  cilk.spawn @works(%n1, %p) to %x : !llvm.func<i32 (i32, ptr)>, i32, !llvm.ptr
  llvm.call @touch() : () -> ()
  cilk.sync
  %a = llvm.load %x : !llvm.ptr -> i32
  llvm.br ^ret(%a : i32)
^ret(%r: i32):
  llvm.return %r : i32
}
llvm.func @touch()

// CHECK-LABEL: llvm.func internal @works.serial.body(
// CHECK: llvm.getelementptr %{{.*}}[520]
// CHECK: llvm.getelementptr %{{.*}}[528]
// CHECK: @chan_promote.near(

// In a loop, too.

llvm.func @waits_in_loop(%n: i32) {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop(%zero : i32)
^loop(%i: i32):
  cilk.spawn @waits_in_loop(%i) : !llvm.func<void (i32)>, i32
  cilk.sync
  %next = llvm.add %i, %one : i32
  %more = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %more, ^loop(%next : i32), ^end
^end:
  llvm.return
}

// CHECK-LABEL: llvm.func internal @waits_in_loop.serial(
// CHECK-NOT: [528]
// CHECK: @chan_late_open_if_low.near(
// CHECK-NOT: [528]

llvm.func @works_in_loop(%n: i32) {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop(%zero : i32)
^loop(%i: i32):
  cilk.spawn @works_in_loop(%i) : !llvm.func<void (i32)>, i32
  %next = llvm.add %i, %one : i32
  %more = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %more, ^loop(%next : i32), ^end
^end:
  cilk.sync
  llvm.return
}

// CHECK-LABEL: llvm.func internal @works_in_loop.serial(
// CHECK: llvm.getelementptr %{{.*}}[528]
// CHECK: @chan_late_open.near(

// What is taken from the stack in front of a loop of spawns is taken before
// anybody looks: once is enough.

llvm.func @grows_before(%n: i64, %p: !llvm.ptr) {
  %more = llvm.icmp "eq" %n, %n : i64
  %a = llvm.alloca %n x i32 : (i64) -> !llvm.ptr
  llvm.br ^loop
^loop:
  cilk.spawn @grows_before(%n, %a) : !llvm.func<void (i64, ptr)>, i64, !llvm.ptr
  llvm.cond_br %more, ^loop, ^end
^end:
  cilk.sync
  llvm.return
}

// CHECK-LABEL: llvm.func internal @grows_before.serial(
// CHECK: [520]
// CHECK: @chan_late_open_if_low.near(
// CHECK-NOT: [520]
// CHECK: [528]
// CHECK: @chan_late_open.near(
// CHECK-NOT: {{\[(520|528)\]}}

// What is taken between two spawns, or in each iteration, may be all there is.

llvm.func @grows_in_loop(%n: i64, %p: !llvm.ptr) {
  %more = llvm.icmp "eq" %n, %n : i64
  cilk.spawn @grows_in_loop(%n, %p) : !llvm.func<void (i64, ptr)>, i64, !llvm.ptr
  llvm.br ^loop
^loop:
  %a = llvm.alloca %n x i32 : (i64) -> !llvm.ptr
  cilk.spawn @grows_in_loop(%n, %a) : !llvm.func<void (i64, ptr)>, i64, !llvm.ptr
  llvm.cond_br %more, ^loop, ^end
^end:
  cilk.sync
  llvm.return
}

// CHECK-LABEL: llvm.func internal @grows_in_loop.serial(
// CHECK: [520]
// CHECK: llvm.alloca %arg1 x i32
// CHECK: [520]
