//===- serial-loops.mlir - Parallel loops in serial clones ----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --cilk-for-to-spawn --lower-to-chan=serial-clones %s | FileCheck %s

// A loop that spawns is in its function's clone again, with its body, however
// many iterations it has.  It polls once for the stack's end, and between
// iterations for requests; the body does not poll.  What only the loop and its
// function access is copied for the worker that does the rest, and back.

llvm.func @some(%n: i64) -> i64 {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %nine = llvm.mlir.constant(9 : i64) : i64
  %results = llvm.alloca %one x !llvm.array<9 x i64> : (i64) -> !llvm.ptr
  %shared = llvm.alloca %one x i64 : (i64) -> !llvm.ptr
  %large = llvm.alloca %one x !llvm.array<65 x i64> : (i64) -> !llvm.ptr
  llvm.call @escape(%shared) : (!llvm.ptr) -> ()
  %ends = llvm.icmp "sle" %n, %zero : i64
  llvm.cond_br %ends, ^end(%n : i64), ^go
^go:
  cilk.for @__cilk_body.1(%n, %results, %shared, %large) times %nine : i64, !llvm.ptr, !llvm.ptr, !llvm.ptr
  %fifth = llvm.getelementptr %results[0, 5] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<9 x i64>
  %result = llvm.load %fifth : !llvm.ptr -> i64
  llvm.br ^end(%result : i64)
^end(%r: i64):
  llvm.return %r : i64
}
llvm.func @escape(!llvm.ptr)
llvm.func internal @__cilk_body.1(%begin: i64, %end: i64, %n: i64, %results: !llvm.ptr, %shared: !llvm.ptr, %large: !llvm.ptr) {
  %one = llvm.mlir.constant(1 : i64) : i64
  llvm.br ^head(%begin : i64)
^head(%i: i64):
  %more = llvm.icmp "ult" %i, %end : i64
  llvm.cond_br %more, ^iteration, ^exit
^iteration:
  %less = llvm.sub %n, %one : i64
  %r = cilk.call @some(%less) : !llvm.func<i64 (i64)>, i64 -> i64
  %place = llvm.getelementptr %results[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  llvm.store %r, %place : i64, !llvm.ptr
  llvm.store %r, %shared : i64, !llvm.ptr
  llvm.store %r, %large : i64, !llvm.ptr
  %next = llvm.add %i, %one : i64
  llvm.br ^head(%next : i64)
^exit:
  llvm.return
}

// CHECK-LABEL: llvm.func internal @some.serial(
// CHECK-NOT: chan_late
// CHECK: llvm.call @__cilk_range.1.serial.inlined({{.*}} {always_inline}
// CHECK-LABEL: llvm.func internal @__cilk_range.1.serial(
// CHECK-NOT: memcpy
// CHECK: llvm.call @__cilk_body.1.serial({{.*}} {always_inline}
// CHECK-NOT: memcpy
// CHECK-LABEL: llvm.func internal @__cilk_range.1.serial.inlined(
// CHECK-SAME: %[[WORKER:.*]]: !llvm.ptr, %{{.*}}: i64, %[[END:[a-z0-9]*]]: i64, %[[GRAIN:[a-z0-9]*]]: i64, %[[N:[a-z0-9]*]]: i64, %[[RESULTS:[a-z0-9]*]]: !llvm.ptr, %[[SHARED:[a-z0-9]*]]: !llvm.ptr, %[[LARGE:[a-z0-9]*]]: !llvm.ptr)
// CHECK: %[[COPY:.*]] = llvm.alloca %{{.*}} x !llvm.array<72 x i8> {alignment
// CHECK: llvm.call preserve_mostcc @chan_late_open_if_low.near(
// CHECK: llvm.call preserve_mostcc @chan_late_open.near(
// CHECK: llvm.call @__cilk_body.1.serial.inlined({{.*}} {always_inline}
// CHECK: %[[SIZE:.*]] = llvm.mlir.constant(72 : i64)
// CHECK: "llvm.intr.memcpy"(%[[COPY]], %[[RESULTS]], %[[SIZE]])
// CHECK-NEXT: llvm.call @__chan_late.__cilk_range.1.entry(%[[WORKER]], %{{.*}}, %[[END]], %[[GRAIN]], %[[N]], %[[COPY]], %[[SHARED]], %[[LARGE]])
// CHECK-NEXT: llvm.call @chan_late_close(
// CHECK: "llvm.intr.memcpy"(%[[RESULTS]], %[[COPY]],
// CHECK-NOT: memcpy
// CHECK: llvm.return
// CHECK-LABEL: llvm.func internal @__cilk_body.1.serial(
// CHECK-NOT: chan_late
// CHECK: llvm.call @some.serial(
// CHECK-NOT: chan_late
// CHECK: llvm.return

// A loop of spawns that store into an array: each path has its own, and computes
// addresses in it where it uses them.  One whose address goes elsewhere is shared,
// as is a large one.

llvm.func @stores(%n: i64, %p: !llvm.ptr) -> i64 {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %results = llvm.alloca %one x !llvm.array<9 x i64> : (i64) -> !llvm.ptr
  %known = llvm.alloca %one x !llvm.array<9 x i64> : (i64) -> !llvm.ptr
  %large = llvm.alloca %one x !llvm.array<65 x i64> : (i64) -> !llvm.ptr
  llvm.store %known, %p : !llvm.ptr, !llvm.ptr
  llvm.br ^loop(%zero : i64)
^loop(%i: i64):
  %row = llvm.getelementptr %results[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %place = llvm.getelementptr %row[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %other = llvm.getelementptr %known[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %third = llvm.getelementptr %large[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  cilk.spawn @stores(%i, %p) to %place : !llvm.func<i64 (i64, ptr)>, i64, !llvm.ptr
  cilk.spawn @stores(%i, %p) to %other : !llvm.func<i64 (i64, ptr)>, i64, !llvm.ptr
  cilk.spawn @stores(%i, %p) to %third : !llvm.func<i64 (i64, ptr)>, i64, !llvm.ptr
  %next = llvm.add %i, %one : i64
  %more = llvm.icmp "slt" %next, %n : i64
  llvm.cond_br %more, ^loop(%next : i64), ^end
^end:
  cilk.sync
  %first = llvm.load %results : !llvm.ptr -> i64
  %second = llvm.load %known : !llvm.ptr -> i64
  %last = llvm.load %large : !llvm.ptr -> i64
  %a = llvm.add %first, %second : i64
  %b = llvm.add %a, %last : i64
  llvm.return %b : i64
}

// CHECK-LABEL: llvm.func internal @stores.serial(
// CHECK: %[[OWN:.*]] = llvm.alloca %{{.*}} x !llvm.array<9 x i64>
// CHECK: %[[R:.*]] = llvm.alloca %{{.*}} x !llvm.array<9 x i64>
// CHECK: %[[KNOWN:.*]] = llvm.alloca %{{.*}} x !llvm.array<9 x i64>
// CHECK: %[[LARGE:.*]] = llvm.alloca %{{.*}} x !llvm.array<65 x i64>
// CHECK: "llvm.intr.memcpy"(%[[OWN]], %[[R]],
// CHECK-NOT: memcpy
// CHECK: llvm.br
// CHECK: llvm.getelementptr %[[R]][%{{.*}}]
// CHECK: llvm.br
// CHECK: %[[OF:.*]] = llvm.getelementptr %[[R]][%{{.*}}]
// CHECK: %[[FAST:.*]] = llvm.getelementptr %[[OF]][%{{.*}}]
// CHECK: %[[X:.*]] = llvm.call @stores.serial(
// CHECK-NEXT: llvm.store %[[X]], %[[FAST]]
// CHECK: llvm.getelementptr %[[OWN]][%{{.*}}]
// CHECK: llvm.br
// CHECK: %[[OF:.*]] = llvm.getelementptr %[[OWN]][%{{.*}}]
// CHECK: %[[SLOW:.*]] = llvm.getelementptr %[[OF]][%{{.*}}]
// CHECK: llvm.call @__chan_late.stores.entry({{.*}}, %[[SLOW]])
// CHECK: llvm.load %[[OWN]]
// CHECK: llvm.load %[[KNOWN]]
// CHECK: llvm.load %[[LARGE]]

// What a loop in the body of a loop accesses is copied where both are in their
// function; else it has one place, as other iterations of the outer may be running.

llvm.func @nested(%n: i64) -> i64 {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %two = llvm.mlir.constant(2 : i64) : i64
  %results = llvm.alloca %one x !llvm.array<4 x i64> : (i64) -> !llvm.ptr
  %ends = llvm.icmp "sle" %n, %zero : i64
  llvm.cond_br %ends, ^end(%n : i64), ^go
^go:
  cilk.for @__cilk_body.2(%n, %results) times %two : i64, !llvm.ptr
  %result = llvm.load %results : !llvm.ptr -> i64
  llvm.br ^end(%result : i64)
^end(%r: i64):
  llvm.return %r : i64
}
llvm.func internal @__cilk_body.2(%begin: i64, %end: i64, %n: i64, %results: !llvm.ptr) {
  %two = llvm.mlir.constant(2 : i64) : i64
  cilk.for @__cilk_body.3(%n, %begin, %results) times %two : i64, i64, !llvm.ptr
  llvm.return
}
llvm.func internal @__cilk_body.3(%begin: i64, %end: i64, %n: i64, %i: i64, %results: !llvm.ptr) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %less = llvm.sub %n, %one : i64
  %r = cilk.call @nested(%less) : !llvm.func<i64 (i64)>, i64 -> i64
  %place = llvm.getelementptr %results[%begin] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  llvm.store %r, %place : i64, !llvm.ptr
  llvm.return
}

// CHECK-LABEL: llvm.func internal @__cilk_range.2.serial(
// CHECK-NOT: memcpy
// CHECK: llvm.call @__chan_late.__cilk_range.2.entry(
// CHECK-LABEL: llvm.func internal @__cilk_range.2.serial.inlined(
// CHECK: llvm.call @__cilk_body.2.serial.inlined(
// CHECK: memcpy
// CHECK-LABEL: llvm.func internal @__cilk_body.2.serial(
// CHECK: llvm.call @__cilk_range.3.serial({{.*}} {always_inline}
// CHECK-LABEL: llvm.func internal @__cilk_body.2.serial.inlined(
// CHECK: llvm.call @__cilk_range.3.serial.inlined({{.*}} {always_inline}
// CHECK-LABEL: llvm.func internal @__cilk_range.3.serial(
// CHECK-NOT: memcpy
// CHECK: llvm.call @__chan_late.__cilk_range.3.entry(
// CHECK-NOT: memcpy
// CHECK-LABEL: llvm.func internal @__cilk_range.3.serial.inlined(
// CHECK: memcpy
// CHECK: llvm.call @__chan_late.__cilk_range.3.entry(
// CHECK: memcpy

// An array of which it is known at run time what part is accessed is two, too.
// One that LLVM finds the parts of is shared, as is one that other functions know.

llvm.func @indexes(%n: i64, %p: !llvm.ptr) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %board = llvm.alloca %one x !llvm.array<9 x i64> : (i64) -> !llvm.ptr
  %fixed = llvm.alloca %one x !llvm.array<7 x i64> : (i64) -> !llvm.ptr
  %known = llvm.alloca %one x !llvm.array<5 x i64> : (i64) -> !llvm.ptr
  %second = llvm.getelementptr %fixed[%one] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  llvm.store %n, %second : i64, !llvm.ptr
  llvm.br ^loop(%zero : i64)
^loop(%i: i64):
  %place = llvm.getelementptr %board[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %other = llvm.getelementptr %known[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %here = llvm.load %place : !llvm.ptr -> i64
  %there = llvm.load %second : !llvm.ptr -> i64
  %sum = llvm.add %here, %there : i64
  cilk.spawn @indexes(%sum, %other) : !llvm.func<void (i64, ptr)>, i64, !llvm.ptr
  llvm.store %sum, %place : i64, !llvm.ptr
  %next = llvm.add %i, %one : i64
  %more = llvm.icmp "slt" %next, %n : i64
  llvm.cond_br %more, ^loop(%next : i64), ^end
^end:
  cilk.sync
  llvm.return
}

// CHECK-LABEL: llvm.func internal @indexes.serial(
// CHECK: %[[OWN:.*]] = llvm.alloca %{{.*}} x !llvm.array<9 x i64>
// CHECK: %[[BOARD:.*]] = llvm.alloca %{{.*}} x !llvm.array<9 x i64>
// CHECK: "llvm.intr.memcpy"(%[[OWN]], %[[BOARD]],
// CHECK-NOT: memcpy
// CHECK: "llvm.intr.memcpy"(%[[OWN]], %[[BOARD]],
// CHECK-NOT: memcpy
// CHECK: @indexes.serial(
// CHECK: @chan_late_calls(
// CHECK-NOT: llvm.getelementptr %[[BOARD]]
// CHECK: llvm.return
