//===- serial-clones.mlir - Functions that call their children ------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --lower-to-chan=serial-clones %s | FileCheck %s
// RUN: cilk2chan-opt --lower-to-chan %s | FileCheck --check-prefix=NONE %s
// RUN: cilk2chan-opt --lower-to-chan=serial-clones %s | FileCheck --check-prefix=NEAR %s
// RUN: cilk2chan-opt --lower-to-chan="serial-clones count-tasks" %s | FileCheck --check-prefix=COUNT %s
// NONE-NOT: serial

// CHECK: chan.kernel @vla.0
// CHECK-NOT: llvm.intr.stack
// CHECK: chan.stack entry @fib.entry({{.*}}) function @fib serial @fib.serial

// Callers inline the base-case check.  The outlined body polls.  If it is promoted,
// it starts again as a kernel.  Otherwise the child is called, and delivers to a
// variable; the plain call that follows is a call.

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
// CHECK-SAME: %[[WORKER:.*]]: !llvm.ptr, %[[N:.*]]: i32) -> i32 attributes {always_inline, passthrough = ["chan.clone", ["chan.source", "fib"]]
// CHECK-NOT: @chan_promote
// CHECK: llvm.cond_br %{{.*}}, ^[[RET:.*]](%[[N]] : i32), ^[[REST:.*]]
// CHECK: ^[[REST]]:
// CHECK-NEXT: %[[R:.*]] = llvm.call @fib.serial.body(%[[WORKER]], %[[N]])
// CHECK-NEXT: llvm.return %[[R]]
// CHECK-LABEL: llvm.func internal @fib.serial.body(
// CHECK-SAME: %[[WORKER:.*]]: !llvm.ptr, %[[N:.*]]: i32) -> i32 attributes {passthrough = ["chan.clone", ["chan.source", "fib"]]
// CHECK-NOT: llvm.icmp "slt"
// CHECK: %[[DEPTH:.*]] = llvm.intr.stacksave
// CHECK: llvm.getelementptr %[[WORKER]][520]
// CHECK: %[[LIMIT:.*]] = llvm.load %{{.*}} {alignment = 8 : i64}
// CHECK: %[[PRESSED:.*]] = llvm.icmp "ult" %[[DEPTH]], %[[LIMIT]]
// CHECK: llvm.cond_br %[[PRESSED]] weights([1, 2000]), ^[[ASK:.*]], ^[[WORK:.*]]
// CHECK: ^[[WORK]]:
// CHECK: llvm.getelementptr %[[WORKER]][528]
// CHECK: %[[SENIOR:.*]] = llvm.load %{{.*}} atomic monotonic
// CHECK: %[[WANTED:.*]] = llvm.icmp "uge" %[[DEPTH]], %[[SENIOR]]
// CHECK: llvm.cond_br %[[WANTED]] weights([1, 2000]), ^[[ASK]], ^[[STAY:.*]]
// CHECK: ^[[ASK]]:
// CHECK: %[[ANSWER:.*]] = llvm.call preserve_mostcc @chan_promote.near(%[[WORKER]])
// CHECK: llvm.cond_br %{{.*}}, ^[[LEAVE:.*]], ^[[STAY]]
// CHECK: ^[[LEAVE]]:
// CHECK-NEXT: %[[AGAIN:.*]] = llvm.call @fib(%[[N]])
// CHECK-NEXT: llvm.return %[[AGAIN]]
// CHECK: ^[[STAY]]:
// CHECK: %[[CHILD:.*]] = llvm.call @fib.serial(%[[WORKER]], %{{.*}})
// CHECK-NEXT: llvm.store %[[CHILD]], %[[X:.*]] {alignment = 1
// CHECK: %[[B:.*]] = llvm.call @fib.serial(%[[WORKER]], %{{.*}})
// CHECK-NOT: sync
// CHECK: %[[A:.*]] = llvm.load %[[X]]
// CHECK-NEXT: llvm.add %[[A]], %[[B]]

// A function of the module calls the runtime for the clones' polls, so that they
// keep no register for an address.  It counts polls in trees that are predicted
// small.
// NEAR: llvm.func preserve_mostcc @chan_promote(!llvm.ptr) -> !llvm.ptr attributes {passthrough = ["nonlazybind"]}
// NEAR: llvm.func internal preserve_mostcc @chan_promote.near(%[[WORKER:.*]]: !llvm.ptr) -> !llvm.ptr attributes {no_inline, passthrough = ["cold"]}
// NEAR: llvm.getelementptr %[[WORKER]][648]
// NEAR: %[[GUESS:.*]] = llvm.load
// NEAR: llvm.icmp "ugt" %[[GUESS]], %[[ONE:.*]] :
// NEAR: llvm.cond_br %{{.*}}, ^[[TINY:.*]], ^[[PASS:.*]]
// NEAR: ^[[PASS]]:
// NEAR-NEXT: %[[ANSWER:.*]] = llvm.call preserve_mostcc tail @chan_promote(%[[WORKER]])
// NEAR-NEXT: llvm.return %[[ANSWER]]
// NEAR: ^[[TINY]]:
// NEAR: llvm.getelementptr %[[WORKER]][528]
// NEAR: %[[SENIOR:.*]] = llvm.load %{{.*}} atomic monotonic
// NEAR: llvm.icmp "ne" %[[SENIOR]]
// NEAR: llvm.cond_br %{{.*}}, ^[[FREE:.*]], ^[[PASS]]
// NEAR: ^[[FREE]]:
// NEAR: %[[END:.*]] = llvm.intr.stacksave
// NEAR: llvm.getelementptr %[[WORKER]][656]
// NEAR: %[[LOW:.*]] = llvm.load
// NEAR: llvm.icmp "uge" %[[END]], %[[LOW]]
// NEAR: llvm.cond_br %{{.*}}, ^[[LESS:.*]], ^[[PASS]]
// NEAR: ^[[LESS]]:
// NEAR: %[[LEFT:.*]] = llvm.sub %[[GUESS]], %[[ONE]]
// NEAR: llvm.store %[[LEFT]]
// NEAR: %[[NO:.*]] = llvm.mlir.zero
// NEAR: llvm.return
// NEAR-NOT: func {{.*}}@chan_promote

// An activation is counted if it is no base case and stays in the clone.
// CHECK-NOT: [536]
// CHECK-NOT: counted
// COUNT: chan.stack entry @fib.entry({{.*}}) function @fib serial @fib.serial counted
// COUNT-LABEL: llvm.func internal @fib.serial(
// COUNT-NOT: [536]
// COUNT-LABEL: llvm.func internal @fib.serial.body(
// COUNT-SAME: %[[WORKER:.*]]: !llvm.ptr,
// COUNT-NOT: [536]
// COUNT: llvm.call preserve_mostcc @chan_promote.near(
// COUNT: llvm.call @fib(
// COUNT-NEXT: llvm.return
// COUNT: %[[PLACE:.*]] = llvm.getelementptr %[[WORKER]][536]
// COUNT-NEXT: %[[COUNT:.*]] = llvm.load %[[PLACE]]
// COUNT: %[[MORE:.*]] = llvm.add %[[COUNT]], %{{.*}}
// COUNT-NEXT: llvm.store %[[MORE]], %[[PLACE]]
// COUNT-NOT: [536]
// COUNT: llvm.call @fib.serial(%[[WORKER]]

// The outlined body gets what the check has computed, and objects of its own.  A
// store is not done twice: it ends the check.

llvm.func @checked(%p: !llvm.ptr) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %n = llvm.load %p : !llvm.ptr -> i32
  %empty = llvm.icmp "eq" %n, %zero : i32
  llvm.cond_br %empty, ^none, ^some
^some:
  %m = llvm.add %n, %one : i32
  %few = llvm.icmp "eq" %m, %one : i32
  llvm.cond_br %few, ^none, ^spawn
^spawn:
  cilk.spawn @checked(%p) to %x : !llvm.func<i32 (ptr)>, !llvm.ptr
  cilk.sync
  %v = llvm.load %x : !llvm.ptr -> i32
  %s = llvm.add %m, %v : i32
  llvm.return %s : i32
^none:
  llvm.return %zero : i32
}
llvm.func @changing(%p: !llvm.ptr) {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %n = llvm.load %p : !llvm.ptr -> i32
  llvm.store %zero, %p : i32, !llvm.ptr
  %empty = llvm.icmp "eq" %n, %zero : i32
  llvm.cond_br %empty, ^none, ^spawn
^spawn:
  cilk.spawn @changing(%p) : !llvm.func<void (ptr)>, !llvm.ptr
  cilk.sync
  llvm.return
^none:
  llvm.return
}
llvm.func @never_inlined(%n: i32) attributes {no_inline} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %empty = llvm.icmp "eq" %n, %zero : i32
  llvm.cond_br %empty, ^none, ^spawn
^spawn:
  cilk.spawn @never_inlined(%n) : !llvm.func<void (i32)>, i32
  cilk.sync
  llvm.return
^none:
  llvm.return
}

// CHECK-LABEL: llvm.func internal @checked.serial(
// CHECK: %[[M:.*]] = llvm.add
// CHECK: llvm.call @checked.serial.body(%{{.*}}, %{{.*}}, %[[M]])
// CHECK-LABEL: llvm.func internal @checked.serial.body(
// CHECK-SAME: %[[WORKER:.*]]: !llvm.ptr, %[[P:.*]]: !llvm.ptr, %[[M:.*]]: i32)
// CHECK: %[[X:.*]] = llvm.alloca
// CHECK-NOT: llvm.load %[[P]]
// CHECK: llvm.call @checked(%[[P]])
// CHECK: llvm.call @checked.serial(%[[WORKER]], %[[P]])
// CHECK: %[[V:.*]] = llvm.load %[[X]]
// CHECK: llvm.add %[[M]], %[[V]]
// CHECK-LABEL: llvm.func internal @changing.serial(
// CHECK-SAME: attributes {passthrough
// CHECK: llvm.load
// CHECK: @chan_promote
// CHECK: llvm.call @changing(
// CHECK: llvm.store
// Nobody has a copy of what is not to be inlined but its own C symbol.
// CHECK-LABEL: llvm.func internal @never_inlined.serial(
// CHECK-SAME: attributes {no_inline
// CHECK: llvm.call @never_inlined.serial.body(
// CHECK-LABEL: llvm.func internal @never_inlined.serial.body(
// CHECK-NOT: no_inline
// CHECK: @chan_promote

// Loops and calls of base cases are in a function of their own, in which LLVM
// knows what the check has found; short base cases stay with the check.

llvm.func @work(i32) -> i32
llvm.func @leaves(%n: i32, %p: !llvm.ptr) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %few = llvm.mlir.constant(8 : i32) : i32
  %many = llvm.mlir.constant(64 : i32) : i32
  %none = llvm.icmp "eq" %n, %zero : i32
  llvm.cond_br %none, ^ret(%zero : i32), ^some
^some:
  %limit = llvm.load %p : !llvm.ptr -> i32
  %isCall = llvm.icmp "eq" %n, %limit : i32
  llvm.cond_br %isCall, ^call(%limit : i32), ^more
^more:
  %isLoop = llvm.icmp "slt" %n, %many : i32
  llvm.cond_br %isLoop, ^loop(%zero, %zero : i32, i32), ^spawn
^call(%with: i32):
  %w = llvm.call @work(%with) : (i32) -> i32
  llvm.br ^ret(%w : i32)
^loop(%i: i32, %sum: i32):
  %next = llvm.add %i, %one : i32
  %more = llvm.add %sum, %i : i32
  %again = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %again, ^loop(%next, %more : i32, i32), ^ret(%more : i32)
^spawn:
  %m = llvm.sub %n, %one : i32
  cilk.spawn @leaves(%m, %p) : !llvm.func<i32 (i32, ptr)>, i32, !llvm.ptr
  cilk.sync
  llvm.br ^ret(%one : i32)
^ret(%r: i32):
  llvm.return %r : i32
}

// CHECK-LABEL: llvm.func internal @leaves.serial(
// CHECK-SAME: %[[WORKER:.*]]: !llvm.ptr, %[[N:.*]]: i32, %[[P:.*]]: !llvm.ptr) -> i32 attributes {always_inline
// CHECK-NOT: @work
// CHECK: llvm.cond_br %{{.*}}, ^[[RET:.*]](%{{.*}} : i32), ^[[SOME:.*]]
// CHECK: ^[[SOME]]:
// CHECK: llvm.cond_br %{{.*}}, ^[[CALL:.*]], ^[[MORE:.*]]
// CHECK: ^[[MORE]]:
// CHECK: llvm.cond_br %{{.*}}, ^[[LOOP:.*]], ^[[REST:.*]]
// CHECK: ^[[REST]]:
// CHECK-NEXT: %{{.*}} = llvm.call @leaves.serial.body(%[[WORKER]], %[[N]], %[[P]])
// CHECK: ^[[RET]](%{{.*}}: i32):
// CHECK-NEXT: llvm.return
// CHECK: ^[[CALL]]:
// CHECK-NEXT: %[[A:.*]] = llvm.call @leaves.serial.base(%[[WORKER]], %[[N]], %[[P]])
// CHECK-NEXT: llvm.return %[[A]]
// CHECK: ^[[LOOP]]:
// CHECK-NEXT: %[[B:.*]] = llvm.call @leaves.serial.base(%[[WORKER]], %[[N]], %[[P]])
// CHECK-NEXT: llvm.return %[[B]]
// CHECK-LABEL: llvm.func internal @leaves.serial.body(
// CHECK-NOT: @work
// CHECK: llvm.call @leaves.serial(
// CHECK-LABEL: llvm.func internal @leaves.serial.base(
// CHECK-SAME: frame_pointer = #llvm.framePointerKind<all>, no_inline, passthrough = ["chan.clone", ["chan.source", "leaves"], "chan.opaque"]
// That there are fewer than 64 is not known there.
// CHECK: llvm.icmp "slt" %{{.*}}, %{{.*}} : i32
// CHECK-NEXT: llvm.br ^[[LOOP:.*]](%{{.*}} : i32, i32)
// CHECK: llvm.call @work(
// CHECK: ^[[LOOP]](
// CHECK-NOT: llvm.unreachable

// There is an outlined base case, too, if spawns are on several ways: no check.

llvm.func @halves(%n: i32, %wide: i1) {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %few = llvm.mlir.constant(33 : i32) : i32
  llvm.cond_br %wide, ^first, ^high
^first:
  cilk.spawn @halves(%one, %wide) : !llvm.func<void (i32, i1)>, i32, i1
  cilk.sync
  llvm.return
^high:
  %isLoop = llvm.icmp "slt" %n, %few : i32
  llvm.cond_br %isLoop, ^loop(%zero : i32), ^second
^second:
  cilk.spawn @halves(%zero, %wide) : !llvm.func<void (i32, i1)>, i32, i1
  cilk.sync
  llvm.return
^loop(%i: i32):
  %next = llvm.add %i, %one : i32
  llvm.call @touch(%i) : (i32) -> ()
  %again = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %again, ^loop(%next : i32), ^done
^done:
  llvm.return
}
llvm.func @touch(i32)

// CHECK-LABEL: llvm.func internal @halves.serial(
// CHECK-NOT: always_inline
// CHECK-NOT: @touch
// CHECK: llvm.cond_br %{{.*}}, ^[[LOOP:.*]], ^{{.*}}
// CHECK-NOT: @touch
// CHECK: llvm.call @halves.serial.base(%{{.*}}, %{{.*}}, %{{.*}})
// CHECK-NEXT: llvm.return
// CHECK-LABEL: llvm.func internal @halves.serial.base(
// CHECK-SAME: %{{.*}}: !llvm.ptr, %{{.*}}: i32, %[[WIDE:.*]]: i1) attributes {frame_pointer = #llvm.framePointerKind<all>, no_inline
// CHECK: llvm.cond_br %[[WIDE]], ^[[NEVER:.*]], ^[[SECOND:.*]]
// CHECK: ^[[SECOND]]:
// CHECK-NEXT: llvm.icmp
// CHECK-NEXT: llvm.br ^
// CHECK-NOT: @halves
// CHECK: llvm.call @touch(
// CHECK: ^[[NEVER]]:
// CHECK-NEXT: llvm.unreachable

// That there are no more than a few is known.

llvm.func @tiles(%n: i32) {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %few = llvm.mlir.constant(32 : i32) : i32
  %isLoop = llvm.icmp "sle" %n, %few : i32
  llvm.cond_br %isLoop, ^loop(%zero : i32), ^spawn
^spawn:
  cilk.spawn @tiles(%zero) : !llvm.func<void (i32)>, i32
  cilk.sync
  llvm.return
^loop(%i: i32):
  %next = llvm.add %i, %one : i32
  llvm.call @touch(%i) : (i32) -> ()
  %again = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %again, ^loop(%next : i32), ^done
^done:
  llvm.return
}

// CHECK-LABEL: llvm.func internal @tiles.serial.base(
// CHECK: %[[FEW:.*]] = llvm.icmp "sle" %{{.*}}, %{{.*}} : i32
// CHECK-NEXT: llvm.cond_br %[[FEW]], ^{{.*}}(%{{.*}} : i32), ^[[NEVER:bb[0-9]+]]
// CHECK: ^[[NEVER]]:
// CHECK-NEXT: llvm.unreachable

// What has had an effect is not begun again, in whichever block that is.

llvm.func @effects(%n: i32, %p: !llvm.ptr) {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.store %n, %p : i32, !llvm.ptr
  %empty = llvm.icmp "eq" %n, %zero : i32
  llvm.cond_br %empty, ^loop(%zero : i32), ^spawn
^loop(%i: i32):
  %next = llvm.add %i, %one : i32
  %again = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %again, ^loop(%next : i32), ^done
^spawn:
  cilk.spawn @effects(%zero, %p) : !llvm.func<void (i32, ptr)>, i32, !llvm.ptr
  cilk.sync
  llvm.return
^done:
  llvm.return
}
llvm.func @effects_later(%n: i32, %p: !llvm.ptr) {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %few = llvm.mlir.constant(8 : i32) : i32
  %empty = llvm.icmp "eq" %n, %zero : i32
  llvm.cond_br %empty, ^done, ^more
^more:
  llvm.store %n, %p : i32, !llvm.ptr
  %isLoop = llvm.icmp "slt" %n, %few : i32
  llvm.cond_br %isLoop, ^loop(%zero : i32), ^spawn
^loop(%i: i32):
  %next = llvm.add %i, %one : i32
  %again = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %again, ^loop(%next : i32), ^done
^spawn:
  cilk.spawn @effects_later(%zero, %p) : !llvm.func<void (i32, ptr)>, i32, !llvm.ptr
  cilk.sync
  llvm.return
^done:
  llvm.return
}

// CHECK-NOT: @effects.serial.base
// CHECK-NOT: @effects_later.serial.base
// CHECK: llvm.func internal @effects.serial(
// CHECK-NOT: @effects.serial.base
// CHECK: llvm.func internal @effects_later.serial(
// CHECK-NOT: @effects_later.serial.base

// Callees that are not known to spawn, or of another file, are called as C does;
// late, their address decides.

llvm.func @other(i32) -> i32
llvm.func @pointers(%f: !llvm.ptr, %out: !llvm.ptr, %more: i1) {
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop
^loop:
  cilk.spawn %f(%one) to %out : !llvm.func<i32 (i32)>, i32
  cilk.spawn @other(%one) : !llvm.func<i32 (i32)>, i32
  llvm.cond_br %more, ^loop, ^end
^end:
  cilk.sync
  llvm.return
}

// CHECK-LABEL: llvm.func internal @pointers.serial(
// CHECK-SAME: %[[WORKER:.*]]: !llvm.ptr, %[[F:.*]]: !llvm.ptr, %[[OUT:.*]]: !llvm.ptr, %{{.*}}: i1)
// CHECK: %[[R:.*]] = llvm.call %[[F]](%{{.*}})
// CHECK: llvm.store %[[R]], %[[OUT]]
// CHECK: llvm.call @other(%{{.*}})
// CHECK: llvm.call @__chan_late.call.0.entry(%[[WORKER]], %[[F]], %{{.*}}, %[[OUT]])
// CHECK: %[[ADDRESS:.*]] = llvm.mlir.addressof @other
// CHECK: llvm.call @__chan_late.call.0.entry(%[[WORKER]], %[[ADDRESS]], %{{.*}}, %{{.*}})

// An assignment that is more than a store is applied at once; late, at the sync.
// What is used elsewhere keeps one place.  As it spawns in a loop, the activation
// is promoted in front of a child, for a slow path with a variable of its
// own, which waits.

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
// CHECK: %[[LEVELS:.*]] = llvm.call preserve_mostcc @chan_late_open.near(
// CHECK: llvm.store %[[LEVELS]], %[[LATE:.*]] :
// CHECK: %[[SIZE:.*]] = llvm.mlir.constant(4 : i64)
// CHECK-NEXT: "llvm.intr.memcpy"(%[[OWN:.*]], %[[S:.*]], %[[SIZE]])
// CHECK-NEXT: llvm.store %[[I]], %[[PASSED:.*]] : i32
// CHECK-NEXT: %[[APART:.*]] = llvm.load volatile %[[PASSED]]
// CHECK-NEXT: llvm.store %[[APART]], %[[INDEX:.*]] : i32
// CHECK-NEXT: llvm.br
// CHECK: llvm.store %{{.*}}, %[[PLACE:.*]] : i32
// CHECK-NEXT: llvm.call @add(%[[S]], %[[PLACE]])
// CHECK: %[[RECORD:.*]] = llvm.call @chan_late_defer(%{{.*}}, %{{.*}}, %{{.*}}, %[[OWN]],
// CHECK: llvm.call @__chan_late.sum.entry(%{{.*}}, %{{.*}}, %[[RECORD]]) :
// CHECK: llvm.call @__chan_late.sum.entry(%{{.*}}, %{{.*}}, %[[T]])
// CHECK: %[[SYNC:.*]] = llvm.load %[[LATE]]
// CHECK-NEXT: llvm.call @chan_late_sync(%{{.*}}, %[[SYNC]])
// CHECK-NEXT: llvm.load %[[OWN]]
// CHECK: llvm.call @chan_late_close(
// CHECK-NEXT: llvm.return

// Structs by value and in return.

!big = !llvm.struct<(i64, i64, i64)>
llvm.func @set(!llvm.ptr, !llvm.ptr)
llvm.func @make(%r: !llvm.ptr {llvm.sret = !big, llvm.align = 16 : i64}, %s: !llvm.ptr {llvm.byval = !big, llvm.align = 8 : i64}) {
  %poison = llvm.mlir.poison : !llvm.ptr
  %more = llvm.icmp "ne" %r, %s : !llvm.ptr
  llvm.br ^loop
^loop:
  cilk.spawn @make(%poison, %s) to %r apply @set : !llvm.func<void (ptr, ptr)>, !llvm.ptr, !llvm.ptr {arg_attrs = [{llvm.sret = !big, llvm.align = 16 : i64}, {llvm.byval = !big, llvm.align = 8 : i64}]}
  llvm.cond_br %more, ^loop, ^end
^end:
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

// Two functions that call each other, plainly: both poll.

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

// CHECK: llvm.call preserve_mostcc @chan_promote.near(
// CHECK: llvm.call @even(
// CHECK: llvm.call @even.serial(
// CHECK: llvm.call @odd.serial(
// CHECK-LABEL: llvm.func internal @odd.serial(
// CHECK: llvm.call preserve_mostcc @chan_promote.near(
// CHECK: llvm.call @odd(
// CHECK: llvm.call @even.serial(

// Beside spawns in a loop, a call looks if nothing has looked before, and goes by
// the C symbol in the slow path.

llvm.func @calls(%n: i32) {
  %first = cilk.call @odd(%n) : !llvm.func<i32 (i32)>, i32 -> i32
  %second = cilk.call @odd(%first) : !llvm.func<i32 (i32)>, i32 -> i32
  %more = llvm.icmp "ne" %second, %n : i32
  llvm.br ^loop
^loop:
  cilk.spawn @calls(%n) : !llvm.func<void (i32)>, i32
  llvm.cond_br %more, ^loop, ^end
^end:
  cilk.sync
  %third = cilk.call @odd(%n) : !llvm.func<i32 (i32)>, i32 -> i32
  llvm.return
}

// CHECK-LABEL: llvm.func internal @calls.serial(
// CHECK: llvm.call preserve_mostcc @chan_late_open_if_low.near(
// CHECK: llvm.call @odd.serial(
// CHECK-NOT: chan_late
// CHECK: llvm.call @odd.serial(
// CHECK: llvm.call preserve_mostcc @chan_late_open.near(
// CHECK: llvm.call @calls.serial(
// CHECK: llvm.call @odd.serial(
// CHECK-NOT: chan_late_open
// CHECK: llvm.call @odd(

// A range of a parallel loop has no C symbol.  It goes from grain to grain, and
// leaves what remains to the kernel.  There is one copy of the body.

llvm.func @__cilk_body.1(i64, i64, !llvm.ptr)
llvm.func private @__cilk_range.1(%begin: i64, %end: i64, %grain: i64, %p: !llvm.ptr) attributes {chan.source = @loop} {
  %size = llvm.sub %end, %begin : i64
  %fits = llvm.icmp "ule" %size, %grain : i64
  llvm.cond_br %fits, ^whole, ^divide
^whole:
  llvm.call @__cilk_body.1(%begin, %end, %p) : (i64, i64, !llvm.ptr) -> ()
  llvm.return
^divide:
  %middle = llvm.add %begin, %grain : i64
  cilk.spawn @__cilk_range.1(%begin, %middle, %grain, %p) : !llvm.func<void (i64, i64, i64, ptr)>, i64, i64, i64, !llvm.ptr
  cilk.spawn @__cilk_range.1(%middle, %end, %grain, %p) : !llvm.func<void (i64, i64, i64, ptr)>, i64, i64, i64, !llvm.ptr
  cilk.sync
  llvm.return
}
llvm.func @loop(%n: i64, %p: !llvm.ptr) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  cilk.call @__cilk_range.1(%zero, %n, %n, %p) : !llvm.func<void (i64, i64, i64, ptr)>, i64, i64, i64, !llvm.ptr
  llvm.return
}

// CHECK-LABEL: llvm.func internal @__cilk_range.1.serial(
// CHECK-SAME: %[[WORKER:.*]]: !llvm.ptr, %[[BEGIN:.*]]: i64, %[[END:.*]]: i64, %[[GRAIN:.*]]: i64, %[[P:.*]]: !llvm.ptr)
// CHECK: %[[LOW:.*]] = llvm.call preserve_mostcc @chan_late_open_if_low.near(%[[WORKER]])
// CHECK: llvm.br ^[[REST:.*]](%[[LOW]], %[[BEGIN]] : !llvm.ptr, i64)
// CHECK: llvm.br ^[[HEAD:.*]](%[[BEGIN]] : i64)
// CHECK: ^[[HEAD]](%[[FROM:.*]]: i64):
// CHECK: %[[LEFT:.*]] = llvm.sub %[[END]], %[[FROM]]
// CHECK: %[[SIZE:.*]] = llvm.intr.umin(%[[LEFT]], %[[GRAIN]])
// CHECK: %[[TO:.*]] = llvm.add %[[FROM]], %[[SIZE]]
// CHECK: %[[LAST:.*]] = llvm.icmp "eq" %[[TO]], %[[END]]
// CHECK: llvm.cond_br %[[LAST]], ^[[GO:.*]], ^[[LOOK:.*]]
// CHECK: %[[WANTED:.*]] = llvm.call preserve_mostcc @chan_late_open.near(%[[WORKER]])
// CHECK: llvm.br ^[[REST]](%[[WANTED]], %[[FROM]] : !llvm.ptr, i64)
// CHECK: ^[[GO]]:
// CHECK: llvm.call @__cilk_body.1(%[[FROM]], %[[TO]], %[[P]]) {no_inline}
// CHECK-NEXT: llvm.br ^[[HEAD]](%[[TO]] : i64)
// CHECK: ^[[REST]](%[[LEVELS:.*]]: !llvm.ptr, %[[FIRST:.*]]: i64):
// CHECK: llvm.call @__chan_late.__cilk_range.1.entry(%[[WORKER]], %[[FIRST]], %[[END]], %[[GRAIN]], %[[P]])
// CHECK-NEXT: llvm.call @chan_late_close(%[[WORKER]], %[[LEVELS]])
// CHECK-NEXT: llvm.return
// CHECK-LABEL: llvm.func internal @__cilk_range.1.serial.inlined(
// CHECK-LABEL: llvm.func internal @loop.serial(
// CHECK-NOT: chan_l
// CHECK: llvm.call @__cilk_range.1.serial.inlined({{.*}} {always_inline}
// CHECK-NEXT: llvm.return
