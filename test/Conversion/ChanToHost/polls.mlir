//===- polls.mlir - Going on beside one's children ------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --chan-to-host %s | FileCheck %s

llvm.func @before()
llvm.func @pure(i32) -> i32
llvm.func @work()
llvm.func @other()
chan.stack entry @s1(n: i32)
chan.stack entry @s2(n: i32)
chan.stack entry @s3(n: i32)
chan.stack entry @s4(n: i32)
chan.stack continuation @t(frame: !llvm.ptr)

// CHECK-LABEL: llvm.func internal @calls
chan.kernel @calls consumes @s1 produces [@s1 + 1] frame 0 {
  %e = chan.deq : <@s1>
  %n = chan.get "n" of %e : <@s1> -> i32
  chan.tfree %e : <@s1>
  // Nothing is enqueued yet.
  // CHECK-NOT: chan_poll
  // CHECK: llvm.call @before
  llvm.call @before() : () -> ()
  %c = chan.talloc + 1 : <@s1>
  chan.set "n" of %c to %n : <@s1>, i32
  chan.enq %c : <@s1>
  // What has no effect is taken for short.
  // CHECK-NOT: chan_poll
  // CHECK: llvm.call @pure
  %p = llvm.call @pure(%n) {memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>} : (i32) -> i32
  // CHECK: llvm.call @chan_poll(%{{.*}}) : (!llvm.ptr) -> ()
  // CHECK-NEXT: llvm.call @work
  llvm.call @work() : () -> ()
  chan.done
}

// One way to the call passes a spawn; the other does not, and need not poll.
// CHECK-LABEL: llvm.func internal @branches
chan.kernel @branches consumes @s2 produces [@s2 + 1] frame 0 {
  %e = chan.deq : <@s2>
  %n = chan.get "n" of %e : <@s2> -> i32
  chan.tfree %e : <@s2>
  %zero = llvm.mlir.constant(0 : i32) : i32
  %some = llvm.icmp "ne" %n, %zero : i32
  llvm.cond_br %some, ^spawn, ^none
^spawn:
  %c = chan.talloc + 1 : <@s2>
  chan.set "n" of %c to %n : <@s2>, i32
  chan.enq %c : <@s2>
  llvm.br ^join
^none:
  // CHECK-NOT: chan_poll
  // CHECK: llvm.call @other
  llvm.call @other() : () -> ()
  llvm.br ^join
^join:
  // CHECK: llvm.call @chan_poll
  // CHECK-NEXT: llvm.call @work
  llvm.call @work() : () -> ()
  chan.done
}

// Before a loop without calls, once; not in it, nor before the loop that spawns.
// CHECK-LABEL: llvm.func internal @loops
chan.kernel @loops consumes @s3 produces [@s3 + 1] frame 0 {
  %e = chan.deq : <@s3>
  %n = chan.get "n" of %e : <@s3> -> i32
  chan.tfree %e : <@s3>
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^outer(%zero : i32)
  // CHECK-NOT: chan_poll
  // CHECK: llvm.call @chan_talloc
  // CHECK: llvm.call @chan_poll
  // CHECK-NEXT: llvm.br
  // CHECK-NOT: chan_poll
  // CHECK: llvm.return
^outer(%i: i32):
  %c = chan.talloc + 1 : <@s3>
  chan.set "n" of %c to %n : <@s3>, i32
  chan.enq %c : <@s3>
  llvm.br ^inner(%zero : i32)
^inner(%j: i32):
  %j1 = llvm.add %j, %one : i32
  %again = llvm.icmp "slt" %j1, %n : i32
  llvm.cond_br %again, ^inner(%j1 : i32), ^next
^next:
  %i1 = llvm.add %i, %one : i32
  %more = llvm.icmp "slt" %i1, %n : i32
  llvm.cond_br %more, ^outer(%i1 : i32), ^done
^done:
  chan.done
}

// A continuation is not a child.
// CHECK-LABEL: llvm.func internal @continues
chan.kernel @continues consumes @s4 produces [@t + 0] frame 8 {
  %e = chan.deq : <@s4>
  chan.tfree %e : <@s4>
  %frame = chan.frame 8
  %c = chan.talloc + 0 : <@t>
  chan.set "frame" of %c to %frame : <@t>, !llvm.ptr
  chan.enq %c : <@t>
  // CHECK-NOT: chan_poll
  // CHECK: llvm.call @work
  llvm.call @work() : () -> ()
  chan.done
}

chan.kernel @after consumes @t frame 8 {
  %e = chan.deq : <@t>
  %f = chan.get "frame" of %e : <@t> -> !llvm.ptr
  chan.tfree %e : <@t>
  chan.frame_free %f, 8
  chan.done
}
