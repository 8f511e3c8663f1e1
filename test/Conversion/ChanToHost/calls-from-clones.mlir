//===- calls-from-clones.mlir - What serial clones leave to batches -------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --chan-to-host %s | FileCheck %s
// RUN: cilk2chan-opt --chan-to-host %s | FileCheck --check-prefix=KEPT %s

// f has a batch form, and a guard that its callers have copies of.
llvm.func @f(i32 {llvm.signext}, i32) -> i32
llvm.func internal @f.serial(%worker: !llvm.ptr, %p: i32 {llvm.signext}, %n: i32) -> i32 attributes {always_inline, passthrough = ["chan.clone"]} {
  %two = llvm.mlir.constant(2 : i32) : i32
  %ends = llvm.icmp "slt" %n, %two : i32
  llvm.cond_br %ends, ^end, ^rest
^end:
  llvm.return %n : i32
^rest:
  %less = llvm.sub %n, %two : i32
  %result = llvm.call @f.serial.body(%worker, %p, %n, %less) : (!llvm.ptr, i32, i32, i32) -> i32
  llvm.return %result : i32
}
// Near where many tiny trees were begun, this one is a clone; and the number of
// those that may call the predictor grows.
// CHECK-LABEL: llvm.func internal @f.serial.check(
// CHECK-SAME: %[[WORKER:[^:]*]]: !llvm.ptr, %[[P:[^:]*]]: i32 {llvm.signext}, %[[N:[^:]*]]: i32) -> i32 attributes {always_inline, passthrough = ["chan.clone"]}
// CHECK: %[[ENDS:.*]] = llvm.icmp "slt" %[[N]]
// CHECK: llvm.cond_br %[[ENDS]], ^[[END:.*]], ^[[REST:.*]]
// CHECK: ^[[END]]:
// CHECK-NEXT: llvm.return %[[N]]
// CHECK: ^[[REST]]:
// CHECK: %[[LESS:.*]] = llvm.sub %[[N]]
// CHECK: %[[STACK:.*]] = llvm.intr.stacksave
// CHECK: %[[ADDRESS:.*]] = llvm.ptrtoint %[[STACK]]
// CHECK: llvm.getelementptr inbounds %[[WORKER]][640]
// CHECK: %[[ABOVE:.*]] = llvm.sub %[[ADDRESS]], %{{.*}}
// CHECK: %[[NEAR:.*]] = llvm.icmp "ult" %[[ABOVE]], %{{.*}}
// CHECK: llvm.cond_br %[[NEAR]], ^[[AGAIN:.*]], ^[[BEGIN:.*]]
// CHECK: ^[[BEGIN]]:
// CHECK-NEXT: %[[ASKED:.*]] = llvm.call @f.serial.tree(%[[WORKER]], %[[P]], %[[N]], %[[STACK]]) : (!llvm.ptr, i32 {llvm.signext}, i32, !llvm.ptr) -> i32
// CHECK-NEXT: llvm.return %[[ASKED]]
// CHECK: ^[[AGAIN]]:
// CHECK: llvm.getelementptr inbounds %[[WORKER]][652]
// CHECK: llvm.intr.umin
// CHECK: %[[GUESS:.*]] = llvm.getelementptr inbounds %[[WORKER]][648]
// CHECK: llvm.store %{{.*}}, %[[GUESS]]
// CHECK: %[[V:.*]] = llvm.call @f.serial.body(%[[WORKER]], %[[P]], %[[N]], %[[LESS]])
// CHECK: llvm.getelementptr inbounds %[[WORKER]][648]
// CHECK: llvm.getelementptr inbounds %[[WORKER]][652]
// CHECK: llvm.store
// CHECK: llvm.getelementptr inbounds %[[WORKER]][648]
// CHECK: llvm.store
// CHECK: llvm.return %[[V]]

// CHECK-LABEL: llvm.func internal @f.serial.tree(
// CHECK-SAME: %[[WORKER:[^:]*]]: !llvm.ptr, %[[P:[^:]*]]: i32 {llvm.signext}, %[[N:[^:]*]]: i32, %[[STACK:[^:]*]]: !llvm.ptr) -> i32 attributes {no_inline, passthrough = ["chan.clone"]}
// CHECK: %[[CHANNEL:.*]] = llvm.mlir.addressof @f.entry
// CHECK: %[[TOKEN:.*]] = llvm.call @chan_predict_small(%[[WORKER]], %[[CHANNEL]], %[[STACK]])
// CHECK: llvm.cond_br %{{.*}}, ^[[TINY:.*]], ^[[ENTER:.*]]
// CHECK: ^[[ENTER]]:
// CHECK-NEXT: %[[V:.*]] = llvm.call @f(%[[P]], %[[N]]) : (i32 {llvm.signext}, i32) -> i32
// CHECK-NEXT: llvm.return %[[V]]
// CHECK: ^[[TINY]]:
// CHECK-NEXT: %[[R:.*]] = llvm.call @f.serial(%[[WORKER]], %[[P]], %[[N]])
// CHECK-NEXT: llvm.call @chan_end_predicted(%[[WORKER]], %[[CHANNEL]], %[[TOKEN]], %[[STACK]])
// CHECK-NEXT: llvm.return %[[R]]

// Inside the tree, a child is a call.
// KEPT-LABEL: llvm.func internal @f.serial.body(
// KEPT: llvm.call @f.serial(
// KEPT: llvm.call @helps.serial(
llvm.func internal @f.serial.body(%worker: !llvm.ptr, %p: i32, %n: i32, %less: i32) -> i32 attributes {passthrough = ["chan.clone"]} {
  %child = llvm.call @f.serial(%worker, %p, %less) : (!llvm.ptr, i32 {llvm.signext}, i32) -> i32
  llvm.call @helps.serial(%worker, %p, %n) : (!llvm.ptr, i32, i32) -> ()
  llvm.return %child : i32
}
chan.stack entry @f.entry(a0: i32, a1: i32, ret: !llvm.ptr) function @f serial @f.serial batch [@f.phase] : !llvm.func<i32 (i32, i32)>
chan.kernel @f.phase consumes @f.entry produces [@f.entry + 1] frame 0 phase 0 lanes 4 source @f {
  %x, %m = chan.deq : <@f.entry> mask vector<4xi1>
  %v = chan.get "a1" of %x : <@f.entry> -> vector<4xi32>
  chan.tfree %x : <@f.entry>
  %c = chan.talloc + 1 : <@f.entry> mask %m : vector<4xi1>
  chan.set "a0" of %c to %v : <@f.entry>, vector<4xi32>
  chan.set "a1" of %c to %v : <@f.entry>, vector<4xi32>
  chan.enq %c site 0 : <@f.entry>
  chan.done
}
chan.kernel @f.0 consumes @f.entry frame 0 source @f {
  %x = chan.deq : <@f.entry>
  chan.tfree %x : <@f.entry>
  chan.done
}

// So it is in what such a tree comes to, though that has no batch form.
// KEPT-LABEL: llvm.func internal @helps.serial(
// KEPT: llvm.call @f.serial(
llvm.func internal @helps.serial(%worker: !llvm.ptr, %p: i32, %n: i32) attributes {passthrough = ["chan.clone"]} {
  %x = llvm.call @f.serial(%worker, %p, %n) : (!llvm.ptr, i32 {llvm.signext}, i32) -> i32
  llvm.return
}

// Other clones call the predictor, where the base-case check does not say that
// there is nothing to spawn; a
// slow path, which calls the C symbol, as well.
// CHECK-LABEL: llvm.func internal @calls.serial(
// CHECK-SAME: %[[WORKER:[^:]*]]: !llvm.ptr, %[[P:[^:]*]]: i32, %[[N:[^:]*]]: i32)
// CHECK: llvm.call @f.serial.check(%[[WORKER]], %[[P]], %[[N]]) : (!llvm.ptr, i32 {llvm.signext}, i32) -> i32
// CHECK: llvm.call @f.serial.check(%[[WORKER]], %[[N]], %[[P]]) : (!llvm.ptr, i32 {llvm.signext}, i32) -> i32
llvm.func internal @calls.serial(%worker: !llvm.ptr, %p: i32, %n: i32) -> i32 attributes {passthrough = ["chan.clone"]} {
  %x = llvm.call @f.serial(%worker, %p, %n) : (!llvm.ptr, i32 {llvm.signext}, i32) -> i32
  %y = llvm.call @f(%n, %p) : (i32 {llvm.signext}, i32) -> i32
  llvm.return %x : i32
}

// Without such a guard it is the same.
llvm.func @g(i32)
llvm.func internal @g.serial(%worker: !llvm.ptr, %n: i32) attributes {passthrough = ["chan.clone"]} {
  llvm.return
}
// CHECK-LABEL: llvm.func internal @g.serial.check(
// CHECK-SAME: attributes {always_inline, passthrough = ["chan.clone"]}
// CHECK: llvm.call @g.serial.tree(
// CHECK: llvm.call @g.serial(
chan.stack entry @g.entry(a0: i32) function @g serial @g.serial batch [@g.phase] : !llvm.func<void (i32)>
chan.kernel @g.phase consumes @g.entry produces [@g.entry + 1] frame 0 phase 0 lanes 4 source @g {
  %x, %m = chan.deq : <@g.entry> mask vector<4xi1>
  %v = chan.get "a0" of %x : <@g.entry> -> vector<4xi32>
  chan.tfree %x : <@g.entry>
  %c = chan.talloc + 1 : <@g.entry> mask %m : vector<4xi1>
  chan.set "a0" of %c to %v : <@g.entry>, vector<4xi32>
  chan.enq %c site 0 : <@g.entry>
  chan.done
}
chan.kernel @g.0 consumes @g.entry frame 0 source @g {
  %x = chan.deq : <@g.entry>
  chan.tfree %x : <@g.entry>
  chan.done
}
// CHECK-LABEL: llvm.func internal @also.serial(
// CHECK: llvm.call @g.serial.check(
llvm.func internal @also.serial(%worker: !llvm.ptr, %n: i32) attributes {passthrough = ["chan.clone"]} {
  llvm.call @g.serial(%worker, %n) : (!llvm.ptr, i32) -> ()
  llvm.return
}

// What has no batch form is called as it was.
llvm.func @h(i32)
llvm.func internal @h.serial(%worker: !llvm.ptr, %n: i32) attributes {passthrough = ["chan.clone"]} {
  llvm.return
}
chan.stack entry @h.entry(a0: i32) function @h serial @h.serial late_promoting : !llvm.func<void (i32)>
chan.kernel @h.0 consumes @h.entry frame 0 source @h {
  %x = chan.deq : <@h.entry>
  chan.tfree %x : <@h.entry>
  chan.done
}
// KEPT-LABEL: llvm.func internal @calls_h.serial(
// KEPT: llvm.call @h.serial(
llvm.func internal @calls_h.serial(%worker: !llvm.ptr, %n: i32) attributes {passthrough = ["chan.clone"]} {
  llvm.call @h.serial(%worker, %n) : (!llvm.ptr, i32) -> ()
  llvm.return
}
