//===- serial-clones.mlir - Functions that call their children ------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --cilk-to-chan=serial-clones %s | FileCheck %s
// RUN: cilk2chan-opt --cilk-to-chan %s | FileCheck --check-prefix=NONE %s
// NONE-NOT: serial

// CHECK: chan.kernel @vla.0
// CHECK-NOT: llvm.intr.stack
// CHECK: chan.stack entry @fib.entry({{.*}}) function @fib serial @fib.serial

// In front of the spawn the activation asks, if it is pressed, whether to leave
// the fast path.  There the child is called, and delivers to a variable that
// nothing of the slow path knows; the plain call that follows is a call.

llvm.func @fib(%n: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %base = llvm.icmp "slt" %n, %two : i32
  llvm.cond_br %base, ^ret(%n : i32), ^recurse
^recurse:
  %n1 = llvm.sub %n, %one : i32
  %n2 = llvm.sub %n, %two : i32
  cilk.spawn @fib(%n1) to %x : !llvm.func<i32 (i32)>, i32
  %b = cilk.call @fib(%n2) : !llvm.func<i32 (i32)>, i32 -> i32
  cilk.sync
  %a = llvm.load %x : !llvm.ptr -> i32
  %s = llvm.add %a, %b : i32
  llvm.br ^ret(%s : i32)
^ret(%r: i32):
  llvm.return %r : i32
}

// CHECK-LABEL: llvm.func internal @fib.serial(
// CHECK-SAME: %[[WORKER:.*]]: !llvm.ptr, %{{.*}}: i32) -> i32 attributes {{{.*}}passthrough = {{\[\[}}"chan.source", "fib"]]
// CHECK: llvm.getelementptr %[[WORKER]][520]
// CHECK: %[[LIMIT:.*]] = llvm.load %{{.*}} atomic monotonic
// CHECK: %[[DEPTH:.*]] = llvm.intr.stacksave
// CHECK: %[[PRESSED:.*]] = llvm.icmp "ult" %[[DEPTH]], %[[LIMIT]]
// CHECK: llvm.cond_br %[[PRESSED]] weights([1, 2000]), ^[[ASK:.*]], ^[[STAY:.*]]
// CHECK: ^[[ASK]]:
// CHECK: %[[LEVELS:.*]] = llvm.call @chan_late_open(%[[WORKER]])
// CHECK: llvm.cond_br %{{.*}}, ^[[LEAVE:.*]], ^[[STAY]]
// CHECK: ^[[LEAVE]]:
// CHECK-NEXT: llvm.store %[[LEVELS]], %[[LATE:.*]] :
// CHECK-NEXT: %[[BEFORE:.*]] = llvm.load %[[X:.*]] :
// CHECK-NEXT: llvm.store %[[BEFORE]], %[[OWN:.*]] :
// CHECK-NEXT: llvm.br ^[[SLOW:.*]]
// CHECK: ^[[STAY]]:
// CHECK: %[[CHILD:.*]] = llvm.call @fib.serial(%[[WORKER]], %{{.*}})
// CHECK-NEXT: llvm.store %[[CHILD]], %[[X]] {alignment = 1
// CHECK: llvm.call @chan_late_open_if_low(%[[WORKER]])
// CHECK: %[[B:.*]] = llvm.call @fib.serial(%[[WORKER]], %{{.*}})
// CHECK-NOT: sync
// CHECK: %[[A:.*]] = llvm.load %[[X]]
// CHECK-NEXT: llvm.add %[[A]], %[[B]]

// The slow path has a variable of its own, goes by the C symbol and waits.
// CHECK: ^[[SLOW]]:
// CHECK-NEXT: llvm.call @__chan_late.fib.entry(%[[WORKER]], %{{.*}}, %[[OWN]]) :
// CHECK: %[[C:.*]] = llvm.call @fib(%{{.*}})
// CHECK: %[[SYNC:.*]] = llvm.load %[[LATE]]
// CHECK-NEXT: llvm.call @chan_late_sync(%[[WORKER]], %[[SYNC]])
// CHECK-NEXT: %[[D:.*]] = llvm.load %[[OWN]]
// CHECK-NEXT: llvm.add %[[D]], %[[C]]
// CHECK: llvm.call @chan_late_close(%[[WORKER]],
// CHECK-NEXT: llvm.return

// Callees that are not known to spawn, or of another file, are called as C does;
// late, their address decides.

llvm.func @other(i32) -> i32
llvm.func @pointers(%f: !llvm.ptr, %out: !llvm.ptr) {
  %one = llvm.mlir.constant(1 : i32) : i32
  cilk.spawn %f(%one) to %out : !llvm.func<i32 (i32)>, i32
  cilk.spawn @other(%one) : !llvm.func<i32 (i32)>, i32
  cilk.sync
  llvm.return
}

// CHECK-LABEL: llvm.func internal @pointers.serial(
// CHECK-SAME: %[[WORKER:.*]]: !llvm.ptr, %[[F:.*]]: !llvm.ptr, %[[OUT:.*]]: !llvm.ptr)
// CHECK: %[[R:.*]] = llvm.call %[[F]](%{{.*}})
// CHECK: llvm.store %[[R]], %[[OUT]]
// CHECK: llvm.call @other(%{{.*}})
// CHECK: llvm.call @__chan_late.call.0.entry(%[[WORKER]], %[[F]], %{{.*}}, %[[OUT]])
// CHECK: %[[ADDRESS:.*]] = llvm.mlir.addressof @other
// CHECK: llvm.call @__chan_late.call.0.entry(%[[WORKER]], %[[ADDRESS]], %{{.*}}, %{{.*}})

// An assignment that is more than a store is applied at once; late, at the sync.
// What is used elsewhere keeps one place.

llvm.func @add(!llvm.ptr, !llvm.ptr)
llvm.func @use(!llvm.ptr)
llvm.func @sum(%n: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %s = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %t = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.call @use(%t) : (!llvm.ptr) -> ()
  llvm.br ^loop(%zero : i32)
^loop(%i: i32):
  cilk.spawn @sum(%i) to %s apply @add : !llvm.func<i32 (i32)>, i32
  cilk.spawn @sum(%i) to %t : !llvm.func<i32 (i32)>, i32
  %next = llvm.add %i, %one : i32
  %more = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %more, ^loop(%next : i32), ^end
^end:
  cilk.sync
  %v = llvm.load %s : !llvm.ptr -> i32
  llvm.return %v : i32
}

// CHECK-LABEL: llvm.func internal @sum.serial(
// CHECK: llvm.call @use(%[[T:.*]]) :
// CHECK: ^{{.*}}(%[[I:.*]]: i32):
// The index is what the slow path needs at the first spawn.
// CHECK: llvm.call @chan_late_open(
// CHECK: %[[NOW:.*]] = llvm.load %[[S:.*]] : !llvm.ptr -> i32
// CHECK-NEXT: llvm.store %[[NOW]], %[[OWN:.*]] : i32
// CHECK-NEXT: llvm.store %[[I]], %[[INDEX:.*]] : i32
// CHECK-NEXT: llvm.br
// CHECK: llvm.store %{{.*}}, %[[PLACE:.*]] : i32
// CHECK-NEXT: llvm.call @add(%[[S]], %[[PLACE]])
// CHECK: %[[RECORD:.*]] = llvm.call @chan_late_defer(%{{.*}}, %{{.*}}, %{{.*}}, %[[OWN]],
// CHECK: llvm.call @__chan_late.sum.entry(%{{.*}}, %{{.*}}, %[[RECORD]]) :
// CHECK: llvm.call @__chan_late.sum.entry(%{{.*}}, %{{.*}}, %[[T]])

// Structs by value and in return.

!big = !llvm.struct<(i64, i64, i64)>
llvm.func @set(!llvm.ptr, !llvm.ptr)
llvm.func @make(%r: !llvm.ptr {llvm.sret = !big, llvm.align = 16 : i64}, %s: !llvm.ptr {llvm.byval = !big, llvm.align = 8 : i64}) {
  %poison = llvm.mlir.poison : !llvm.ptr
  cilk.spawn @make(%poison, %s) to %r apply @set : !llvm.func<void (ptr, ptr)>, !llvm.ptr, !llvm.ptr {arg_attrs = [{llvm.sret = !big, llvm.align = 16 : i64}, {llvm.byval = !big, llvm.align = 8 : i64}]}
  cilk.sync
  llvm.return
}

// CHECK-LABEL: llvm.func internal @make.serial(
// CHECK-SAME: !llvm.ptr, %[[R:.*]]: !llvm.ptr {{{.*}}llvm.sret{{.*}}}, %[[S:.*]]: !llvm.ptr {{{.*}}llvm.byval
// CHECK: %[[PLACE:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(i64, i64, i64)> {alignment = 16
// CHECK: llvm.call @make.serial(%{{.*}}, %[[PLACE]], %[[S]]) : (!llvm.ptr, !llvm.ptr {{{.*}}llvm.sret{{.*}}}, !llvm.ptr {{{.*}}llvm.byval
// CHECK-NEXT: llvm.call @set(%[[R]], %[[PLACE]])
// CHECK: %[[RECORD:.*]] = llvm.call @chan_late_defer(%{{.*}}, %{{.*}}, %{{.*}}, %[[R]],
// CHECK: llvm.call @__chan_late.make.entry(%{{.*}}, %[[RECORD]], %[[S]])

// Memory of unknown size: the C stack, which the end of the scope restores; in
// the slow path memory until the return.

llvm.func @vla(%n: i64) {
  %saved = llvm.intr.stacksave : !llvm.ptr
  %a = llvm.alloca %n x i32 : (i64) -> !llvm.ptr
  llvm.br ^body
^body:
  %b = llvm.alloca %n x i16 {alignment = 32 : i64} : (i64) -> !llvm.ptr
  cilk.spawn @use(%b) : !llvm.func<void (ptr)>, !llvm.ptr
  llvm.intr.stackrestore %saved : !llvm.ptr
  %more = llvm.icmp "eq" %n, %n : i64
  llvm.cond_br %more, ^body, ^end
^end:
  cilk.sync
  llvm.return
}

// CHECK-LABEL: llvm.func internal @vla.serial(
// CHECK: %[[SAVED:.*]] = llvm.intr.stacksave
// CHECK: llvm.alloca %{{.*}} x i32 :
// CHECK: llvm.alloca %{{.*}} x i16 {alignment = 32
// CHECK: llvm.call @use(
// CHECK-NEXT: llvm.intr.stackrestore %[[SAVED]]
// CHECK-NOT: stackrestore
// CHECK: llvm.call @chan_late_alloc(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}})
// CHECK-NOT: stackrestore
// CHECK-LABEL: llvm.func internal @even.serial(

// Two functions that call each other, plainly.

llvm.func @even(%n: i32) -> i32 {
  cilk.spawn @even(%n) : !llvm.func<i32 (i32)>, i32
  cilk.sync
  %r = cilk.call @odd(%n) : !llvm.func<i32 (i32)>, i32 -> i32
  llvm.return %r : i32
}
llvm.func @odd(%n: i32) -> i32 {
  %r = cilk.call @even(%n) : !llvm.func<i32 (i32)>, i32 -> i32
  llvm.return %r : i32
}

// CHECK: llvm.call @odd.serial(
// CHECK: llvm.call @odd(
// CHECK-LABEL: llvm.func internal @odd.serial(
// CHECK: llvm.call @chan_late_open_if_low(
// CHECK: llvm.call @even.serial(
// CHECK: llvm.call @even(
// CHECK: llvm.call @chan_late_close(

// Ranges of loops have no C symbol: both paths call the clone.

llvm.func private @range(%n: i64) attributes {chan.source = @loop} {
  cilk.spawn @range(%n) : !llvm.func<void (i64)>, i64
  cilk.sync
  llvm.return
}
llvm.func @loop(%n: i64) {
  cilk.call @range(%n) : !llvm.func<void (i64)>, i64
  llvm.return
}

// CHECK-LABEL: llvm.func internal @range.serial(
// CHECK-LABEL: llvm.func internal @loop.serial(
// CHECK-NOT: chan_late
// CHECK: llvm.call @range.serial(
// CHECK-NEXT: llvm.return
