//===- stub.mlir - The C symbol runs one element to the end ---------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --chan-to-host %s | FileCheck %s

!big = !llvm.struct<(i64, i64, i64)>
llvm.func @f(i32, !llvm.ptr {llvm.byval = !big}) -> i16
chan.stack entry @f.entry(a0: i32, a1: !big, ret: !llvm.ptr) function @f : !llvm.func<i16 (i32, ptr)>

chan.kernel @f.0 consumes @f.entry frame 0 source @f {
  %e = chan.deq : <@f.entry>
  chan.tfree %e : <@f.entry>
  chan.done
}

// CHECK-LABEL: llvm.func @__chan_stub.f(
// CHECK-SAME: %[[N:[^:]*]]: i32, %[[S:[^:]*]]: !llvm.ptr) -> i16
// A block of one element: a header of 32 bytes, then 24 + 8 + 4.
// CHECK: %[[B:.*]] = llvm.alloca %{{.*}} x !llvm.array<68 x i8> {alignment = 16 : i64}
// CHECK: %[[R:.*]] = llvm.alloca %{{.*}} x i16
// CHECK: %[[CHANNEL:.*]] = llvm.mlir.addressof @f.entry
// CHECK: llvm.store %[[CHANNEL]], %[[B]]
// CHECK: llvm.getelementptr inbounds %[[B]][8]
// CHECK: llvm.getelementptr inbounds %[[B]][12]
// CHECK: llvm.getelementptr inbounds %[[B]][16]
// CHECK: llvm.store %[[N]]
// CHECK: "llvm.intr.memcpy"(%{{.*}}, %[[S]], %{{.*}})
// CHECK: llvm.store %[[R]]
// CHECK: llvm.call @chan_run(%[[B]])
// CHECK: %[[V:.*]] = llvm.load %[[R]] : !llvm.ptr -> i16
// CHECK: llvm.return %[[V]]

// Called from a serial clone, it calls its own at once, with the same worker.
llvm.func @g(!llvm.ptr {llvm.byval = !big}, i32) -> i16
llvm.func internal @g.serial(%worker: !llvm.ptr, %s: !llvm.ptr {llvm.byval = !big}, %n: i32) -> i16 {
  %zero = llvm.mlir.constant(0 : i16) : i16
  llvm.return %zero : i16
}
chan.stack entry @g.entry(a0: !big, a1: i32, ret: !llvm.ptr) function @g serial @g.serial : !llvm.func<i16 (ptr, i32)>
chan.kernel @g.0 consumes @g.entry frame 0 source @g {
  %e = chan.deq : <@g.entry>
  chan.tfree %e : <@g.entry>
  chan.done
}

// CHECK-LABEL: llvm.func @__chan_stub.g(
// CHECK-SAME: %[[S:[^:]*]]: !llvm.ptr, %[[N:[^:]*]]: i32) -> i16
// CHECK: %[[PLACE:.*]] = llvm.mlir.addressof @chan_cloning
// CHECK: %[[OWN:.*]] = "llvm.intr.threadlocal.address"(%[[PLACE]])
// CHECK: %[[WORKER:.*]] = llvm.load %[[OWN]]
// CHECK: %[[NULL:.*]] = llvm.mlir.zero
// CHECK: %[[CLONING:.*]] = llvm.icmp "ne" %[[WORKER]], %[[NULL]]
// CHECK: llvm.cond_br %[[CLONING]], ^[[CLONE:.*]], ^[[ENTER:.*]]
// CHECK: ^[[CLONE]]:
// The register that holds it is not to be busy before.
// CHECK-NEXT: %[[AGAIN:.*]] = llvm.load volatile %[[OWN]]
// CHECK-NEXT: %[[V:.*]] = llvm.call @g.serial(%[[AGAIN]], %[[S]], %[[N]]) : (!llvm.ptr, !llvm.ptr {llvm.byval = {{.*}}}, i32) -> i16
// CHECK-NEXT: llvm.return %[[V]]
// CHECK: ^[[ENTER]]:
// CHECK-NEXT: %[[V:.*]] = llvm.call @g.run(%[[S]], %[[N]])
// CHECK-NEXT: llvm.return %[[V]]
// The memory for an element is that of a function that always needs it.
// CHECK-LABEL: llvm.func internal @g.run(
// CHECK-SAME: %[[S:[^:]*]]: !llvm.ptr, %[[N:[^:]*]]: i32) -> i16 attributes {no_inline, passthrough = {{\[\[}}"chan.source", "g"]]} {
// CHECK: llvm.alloca
// CHECK: llvm.store %[[N]]
// CHECK: llvm.call @chan_run(

// Not where it runs in batches, which are better.
llvm.func @h(i32)
llvm.func internal @h.serial(%worker: !llvm.ptr, %n: i32) {
  llvm.return
}
chan.stack entry @h.entry(a0: i32) function @h serial @h.serial batch [@h.phase] : !llvm.func<void (i32)>
chan.kernel @h.phase consumes @h.entry produces [@h.entry + 1] frame 0 phase 0 lanes 4 source @h {
  %x, %m = chan.deq : <@h.entry> mask vector<4xi1>
  %v = chan.get "a0" of %x : <@h.entry> -> vector<4xi32>
  chan.tfree %x : <@h.entry>
  %c = chan.talloc + 1 : <@h.entry> mask %m : vector<4xi1>
  chan.set "a0" of %c to %v : <@h.entry>, vector<4xi32>
  chan.enq %c site 0 : <@h.entry>
  chan.done
}
chan.kernel @h.0 consumes @h.entry frame 0 source @h {
  %x = chan.deq : <@h.entry>
  chan.tfree %x : <@h.entry>
  chan.done
}

// CHECK-LABEL: llvm.func @__chan_stub.h(
// CHECK-NOT: @h.serial
// CHECK: llvm.call @h.run(

// What its guard says spawns nothing does not enter the runtime; what is left,
// called from a serial clone, is its clone's rest.
llvm.func @k(i32) -> i32
llvm.func @k.serial.body(!llvm.ptr, i32, i32) -> i32
llvm.func internal @k.serial(%worker: !llvm.ptr, %n: i32) -> i32 attributes {always_inline} {
  %two = llvm.mlir.constant(2 : i32) : i32
  %ends = llvm.icmp "slt" %n, %two : i32
  llvm.cond_br %ends, ^end, ^rest
^end:
  llvm.return %n : i32
^rest:
  %less = llvm.sub %n, %two : i32
  %result = llvm.call @k.serial.body(%worker, %n, %less) : (!llvm.ptr, i32, i32) -> i32
  llvm.return %result : i32
}
chan.stack entry @k.entry(a0: i32, ret: !llvm.ptr) function @k serial @k.serial : !llvm.func<i32 (i32)>
chan.kernel @k.0 consumes @k.entry frame 0 source @k {
  %e = chan.deq : <@k.entry>
  chan.tfree %e : <@k.entry>
  chan.done
}

// CHECK-LABEL: llvm.func @__chan_stub.k(
// CHECK-SAME: %[[N:[^:]*]]: i32) -> i32
// CHECK: %[[ENDS:.*]] = llvm.icmp "slt" %[[N]]
// CHECK: llvm.cond_br %[[ENDS]], ^[[END:.*]], ^[[REST:.*]]
// CHECK: ^[[END]]:
// CHECK-NEXT: llvm.return %[[N]]
// CHECK: ^[[REST]]:
// CHECK: %[[LESS:.*]] = llvm.sub %[[N]]
// CHECK: llvm.mlir.addressof @chan_cloning
// CHECK: llvm.cond_br %{{.*}}, ^[[CLONE:.*]], ^[[ENTER:.*]]
// CHECK: ^[[CLONE]]:
// CHECK-NEXT: %[[AGAIN:.*]] = llvm.load volatile
// CHECK-NEXT: %[[V:.*]] = llvm.call @k.serial.body(%[[AGAIN]], %[[N]], %[[LESS]])
// CHECK-NEXT: llvm.return %[[V]]
// CHECK: ^[[ENTER]]:
// CHECK: llvm.call @k.run(%[[N]])

// A clone that is to be inlined, since the function is, may have no guard.
llvm.func @l(i32)
llvm.func internal @l.serial(%worker: !llvm.ptr, %n: i32) attributes {always_inline} {
  llvm.return
}
chan.stack entry @l.entry(a0: i32) function @l serial @l.serial : !llvm.func<void (i32)>
chan.kernel @l.0 consumes @l.entry frame 0 source @l {
  %e = chan.deq : <@l.entry>
  chan.tfree %e : <@l.entry>
  chan.done
}

// CHECK-LABEL: llvm.func @__chan_stub.l(
// CHECK: llvm.call @l.serial(
// CHECK: llvm.call @l.run(

// A guard that is not small is called: there is one copy of it.
llvm.func @m(i32)
llvm.func @m.serial.body(!llvm.ptr, i32) attributes {no_inline}
llvm.func internal @m.serial(%worker: !llvm.ptr, %n: i32) {
  llvm.call @m.serial.body(%worker, %n) : (!llvm.ptr, i32) -> ()
  llvm.return
}
chan.stack entry @m.entry(a0: i32) function @m serial @m.serial : !llvm.func<void (i32)>
chan.kernel @m.0 consumes @m.entry frame 0 source @m {
  %e = chan.deq : <@m.entry>
  chan.tfree %e : <@m.entry>
  chan.done
}

// CHECK-LABEL: llvm.func @__chan_stub.m(
// CHECK-NOT: rest
// CHECK: llvm.call @m.serial(%{{.*}}, %{{.*}}) :
// CHECK-NOT: rest
// CHECK: llvm.call @m.run(
