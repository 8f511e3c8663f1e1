//===- talloc.mlir - Elements are allocated inline while there is room ----===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --chan-to-host %s | FileCheck %s

llvm.func @f(i32)
chan.stack entry @s(a0: i32) function @f : !llvm.func<void (i32)>
chan.stack continuation @after(frame: !llvm.ptr)
chan.stack entry @call(a0: i32, callee: !llvm.ptr) : !llvm.func<void (i32)>

chan.kernel @child consumes @s produces [@s + 1] frame 0 {
  %e = chan.deq : <@s>
  %n = chan.get "a0" of %e : <@s> -> i32
  chan.tfree %e : <@s>
  %c = chan.talloc + 1 : <@s>
  chan.set "a0" of %c to %n : <@s>, i32
  chan.enq %c : <@s>
  chan.done
}

chan.kernel @again consumes @after produces [@after + 0] frame 8 {
  %e = chan.deq : <@after>
  %f = chan.get "frame" of %e : <@after> -> !llvm.ptr
  chan.tfree %e : <@after>
  %c = chan.talloc + 0 : <@after>
  chan.set "frame" of %c to %f : <@after>, !llvm.ptr
  chan.enq %c : <@after>
  chan.done
}

chan.kernel @through consumes @call produces [@call + 1] frame 0 {
  %e = chan.deq : <@call>
  %f = chan.get "callee" of %e : <@call> -> !llvm.ptr
  %n = chan.get "a0" of %e : <@call> -> i32
  chan.tfree %e : <@call>
  %c = chan.talloc + 1 for %f : <@call>
  chan.set "a0" of %c to %n : <@call>, i32
  chan.enq %c : <@call>
  chan.done
}

// &worker->level->deeper->entries, once a kernel
// CHECK-LABEL: llvm.func internal @child(
// CHECK-SAME: %[[W:[^:]*]]: !llvm.ptr
// CHECK: %[[LEVEL:.*]] = llvm.load %[[W]]
// CHECK: %[[DEEPER_AT:.*]] = llvm.getelementptr inbounds %[[LEVEL]][16]
// CHECK: %[[ENTRIES:.*]] = llvm.load %[[DEEPER_AT]]
// CHECK: llvm.br
// CHECK: %[[OWN:.*]] = llvm.mlir.addressof @s
// CHECK: %[[LIST:.*]] = llvm.load %[[ENTRIES]]
// CHECK: %[[OF:.*]] = llvm.load %[[LIST]]
// CHECK: %[[SAME:.*]] = llvm.icmp "eq" %[[OF]], %[[OWN]]
// CHECK: %[[COUNT_AT:.*]] = llvm.getelementptr inbounds %[[LIST]][8]
// CHECK: %[[COUNT:.*]] = llvm.load %[[COUNT_AT]]
// CHECK: %[[ROOM:.*]] = llvm.icmp "ne" %[[COUNT]]
// CHECK: %[[FAST:.*]] = llvm.and %[[SAME]], %[[ROOM]]
// CHECK: llvm.cond_br %[[FAST]] weights([2000, 1]), ^[[AFTER:bb[0-9]+]](%[[LIST]], %[[COUNT]] : !llvm.ptr, i32), ^[[SLOW:bb[0-9]+]]
// CHECK: ^[[SLOW]]:
// CHECK: %[[ONE:.*]] = llvm.mlir.constant(1 : i32)
// CHECK: %[[MADE:.*]] = llvm.call @chan_talloc(%[[W]], %[[OWN]], %[[ONE]])
// CHECK: %[[MADE_COUNT:.*]] = llvm.load
// CHECK: llvm.br ^[[AFTER]](%[[MADE]], %[[MADE_COUNT]] : !llvm.ptr, i32)
// CHECK: ^[[AFTER]](%[[BLOCK:.*]]: !llvm.ptr, %[[INDEX:.*]]: i32):
// CHECK-NOT: llvm.call
// CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 4 : i64} : i32
// Enqueued when the count says so.
// CHECK: %[[MORE:.*]] = llvm.add %[[INDEX]]
// CHECK: %[[END:.*]] = llvm.getelementptr inbounds %[[BLOCK]][8]
// CHECK-NEXT: llvm.store %[[MORE]], %[[END]] : i32

// &worker->level->continuations
// CHECK-LABEL: llvm.func internal @again(
// CHECK-SAME: %[[W:[^:]*]]: !llvm.ptr
// CHECK: %[[LEVEL:.*]] = llvm.load %[[W]]
// CHECK: %[[AT:.*]] = llvm.getelementptr inbounds %[[LEVEL]][8]
// CHECK: llvm.br
// CHECK: llvm.load %[[AT]]
// CHECK: %[[ZERO:.*]] = llvm.mlir.constant(0 : i32)
// CHECK: llvm.call @chan_talloc(%[[W]], %{{.*}}, %[[ZERO]])

// The callee's own channel, if it has one; else this one, which keeps the callee.
// CHECK-LABEL: llvm.func internal @call.talloc1(
// CHECK-SAME: %[[W:[^:]*]]: !llvm.ptr, %[[F:[^:]*]]: !llvm.ptr) -> !llvm.ptr attributes {no_inline}
// CHECK: %[[OWN:.*]] = llvm.mlir.addressof @call
// CHECK: %[[CHANNEL:.*]] = llvm.call @chan_resolve(%[[F]], %{{.*}}, %[[OWN]])
// CHECK: llvm.icmp "eq" %{{.*}}, %[[CHANNEL]]
// CHECK: ^{{.*}}(%[[BLOCK:.*]]: !llvm.ptr, %{{.*}}: i32):
// CHECK: %[[UNKNOWN:.*]] = llvm.icmp "eq" %[[CHANNEL]], %[[OWN]]
// CHECK: llvm.cond_br %[[UNKNOWN]], ^[[KEEP:bb[0-9]+]], ^{{.*}}
// CHECK: ^[[KEEP]]:
// CHECK: llvm.store %[[F]]
// CHECK: llvm.return %[[BLOCK]]

// CHECK-LABEL: llvm.func internal @through(
// CHECK-SAME: %[[W:[^:]*]]: !llvm.ptr
// CHECK: %[[F:.*]] = llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
// CHECK: llvm.call @call.talloc1(%[[W]], %[[F]])
// CHECK-NOT: llvm.cond_br
