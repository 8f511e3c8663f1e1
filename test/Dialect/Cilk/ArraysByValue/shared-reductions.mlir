//===- shared-reductions.mlir - Variables that all activations combine -----===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --cilk-arrays-by-value %s | FileCheck %s
// RUN: cilk2chan-opt --cilk-arrays-by-value --lower-to-chan="batch-forms serial-clones" %s | FileCheck --check-prefix=KERNELS %s

// Two places for two children. The function as it was stays.
//
// CHECK-LABEL: llvm.func internal @fib.whole(
// CHECK-NOT: atomicrmw
// CHECK: cilk.spawn @fib.whole(
//
// What C calls has its children add to places that begin with nothing.
// CHECK-LABEL: llvm.func @fib(
// CHECK-SAME: %{{.*}}: i32, %[[TO:.*]]: !llvm.ptr) {
// CHECK: %[[NOTHING:.*]] = llvm.mlir.constant(0 : i64)
// CHECK-NEXT: llvm.store %[[NOTHING]], %[[X:[0-9]*]] : i64
// CHECK-NEXT: cilk.spawn @fib.values(%{{.*}}, %[[X]])
// CHECK: llvm.store %{{.*}}, %[[Y:[0-9]*]] : i64
// CHECK-NEXT: cilk.spawn @fib.values(%{{.*}}, %[[Y]])
// CHECK: %[[SUM:.*]] = llvm.add
// CHECK: llvm.store %[[SUM]], %[[TO]]
//
// These add to the same, and wait for nobody.
// CHECK-LABEL: llvm.func private @fib.values(
// CHECK-SAME: %{{.*}}: i32, %[[TO:.*]]: !llvm.ptr)
// CHECK: llvm.cond_br %{{.*}}, ^{{.*}}, ^{{.*}} {chan.fits}
// CHECK: %[[OWN:.*]] = llvm.sext
// CHECK: llvm.atomicrmw add %[[TO]], %[[OWN]] monotonic {chan.reduction} : !llvm.ptr, i64
// CHECK-NOT: atomicrmw
// CHECK: cilk.spawn @fib.values(%{{.*}}, %[[TO]])
// CHECK-NOT: llvm.load
// CHECK: cilk.spawn @fib.values(%{{.*}}, %[[TO]])
// CHECK-NOT: llvm.load
// CHECK-NOT: atomicrmw
// CHECK: llvm.call @fib.byval.whole(
//
// CHECK-LABEL: llvm.func internal @fib.byval.whole(
// CHECK-SAME: %{{.*}}: i32, %[[TO:.*]]: !llvm.ptr)
// CHECK: %[[PLACE:.*]] = llvm.alloca %{{.*}} x i64
// CHECK: llvm.call @fib.whole(%{{.*}}, %[[PLACE]])
// CHECK: %[[LEFT:.*]] = llvm.load %[[PLACE]]
// CHECK: llvm.atomicrmw add %[[TO]], %[[LEFT]] monotonic {chan.reduction}

// One phase: nothing is done after the sync. Parents do what leaves would.
// KERNELS-LABEL: chan.kernel @fib.byval.batch.0
// KERNELS: %[[ALL:.*]] = chan.get "a1"
// KERNELS: llvm.atomicrmw add %[[ALL]],
// KERNELS: %[[NEXT:.*]] = llvm.sub
// KERNELS: %[[ENDS:.*]] = llvm.icmp "slt" %[[NEXT]]
// KERNELS: %[[PART:.*]] = llvm.sext %[[NEXT]]
// KERNELS: llvm.cond_br %[[ENDS]], ^{{bb[0-9]*}}, ^[[SPAWNS:bb[0-9]*]]
// KERNELS: ^[[SPAWNS]]:
// KERNELS: chan.talloc
// KERNELS: llvm.atomicrmw add %[[ALL]], %[[PART]] monotonic {chan.reduction}
llvm.func @fib(%n: i32, %to: !llvm.ptr) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %x = llvm.alloca %one x i64 : (i32) -> !llvm.ptr
  %y = llvm.alloca %one x i64 : (i32) -> !llvm.ptr
  %leaf = llvm.icmp "slt" %n, %two : i32
  llvm.cond_br %leaf, ^leaf, ^inner
^leaf:
  %own = llvm.sext %n : i32 to i64
  llvm.store %own, %to : i64, !llvm.ptr
  llvm.br ^end
^inner:
  %n1 = llvm.sub %n, %one : i32
  cilk.spawn @fib(%n1, %x) : !llvm.func<void (i32, ptr)>, i32, !llvm.ptr
  %n2 = llvm.sub %n, %two : i32
  cilk.spawn @fib(%n2, %y) : !llvm.func<void (i32, ptr)>, i32, !llvm.ptr
  cilk.sync
  %a = llvm.load %x : !llvm.ptr -> i64
  %b = llvm.load %y : !llvm.ptr -> i64
  %sum = llvm.add %a, %b overflow<nsw> : i64
  llvm.store %sum, %to : i64, !llvm.ptr
  llvm.br ^end
^end:
  llvm.return
}

// An array of places, and a loop whose bound is behind a pointer: nobody writes
// there, so it is the same bound. What is known before the sync does not wait
// for it.
//
// CHECK-LABEL: llvm.func private @bits.values(
// CHECK-SAME: %[[BOUND:.*]]: !llvm.ptr, %{{.*}}: i32, %[[TO:.*]]: !llvm.ptr)
// CHECK: %[[ALSO:.*]] = llvm.add
// CHECK: llvm.atomicrmw _or %[[TO]], %{{.*}} monotonic {chan.reduction} : !llvm.ptr, i32
// CHECK: llvm.br
// CHECK: llvm.atomicrmw _or %[[TO]], %[[ALSO]] monotonic {chan.reduction} : !llvm.ptr, i32
// CHECK: llvm.load %[[BOUND]]
// CHECK-NOT: llvm.load
// CHECK-NOT: atomicrmw
// CHECK: cilk.spawn @bits.values(%[[BOUND]], %{{.*}}, %[[TO]])
// CHECK: cilk.sync
// CHECK-NOT: llvm.load
// CHECK-NOT: atomicrmw
// CHECK: llvm.return
//
// What begins with places of its own has no batch form: a batch has one.
// KERNELS: chan.stack entry @fib.entry(
// KERNELS-NOT: batch
// KERNELS: chan.stack entry @fib.byval.entry(
// KERNELS-SAME: batch [@fib.byval.batch.0] uniform ["a1"]
// KERNELS: chan.stack entry @bits.byval.entry(
// KERNELS-SAME: batch [@bits.byval.batch.0] receivers 0 uniform ["a0", "a1", "a2"]
llvm.func @bits(%bound: !llvm.ptr, %n: i32, %to: !llvm.ptr) {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %own = llvm.mlir.constant(6 : i32) : i32
  %found = llvm.alloca %one x !llvm.array<8 x i32> : (i32) -> !llvm.ptr
  %also = llvm.add %n, %one : i32
  %leaf = llvm.icmp "eq" %n, %zero : i32
  llvm.cond_br %leaf, ^leaf, ^loop(%zero : i32)
^leaf:
  llvm.store %own, %to : i32, !llvm.ptr
  llvm.br ^end
^loop(%i: i32):
  %end = llvm.load %bound : !llvm.ptr -> i32
  %more = llvm.icmp "slt" %i, %end : i32
  llvm.cond_br %more, ^body, ^sync
^body:
  %place = llvm.getelementptr %found[0, %i] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<8 x i32>
  %less = llvm.sub %n, %one : i32
  cilk.spawn @bits(%bound, %less, %place) : !llvm.func<void (ptr, i32, ptr)>, !llvm.ptr, i32, !llvm.ptr
  %next = llvm.add %i, %one : i32
  llvm.br ^loop(%next : i32)
^sync:
  cilk.sync
  llvm.store %also, %to : i32, !llvm.ptr
  llvm.br ^loop2(%zero : i32)
^loop2(%j: i32):
  %end2 = llvm.load %bound : !llvm.ptr -> i32
  %more2 = llvm.icmp "slt" %j, %end2 : i32
  llvm.cond_br %more2, ^body2, ^end
^body2:
  %place2 = llvm.getelementptr %found[0, %j] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<8 x i32>
  %got = llvm.load %place2 : !llvm.ptr -> i32
  %before = llvm.load %to : !llvm.ptr -> i32
  %after = llvm.or %before, %got : i32
  llvm.store %after, %to : i32, !llvm.ptr
  %next2 = llvm.add %j, %one : i32
  llvm.br ^loop2(%next2 : i32)
^end:
  llvm.return
}
