//===- kept-objects.mlir - Objects that children know until a sync --------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt %s --lower-to-chan | FileCheck %s
// RUN: cilk2chan-opt %s --lower-to-chan=serial-clones | FileCheck %s --check-prefix=CLONE

// A child has the address of an object of a loop's body: there is one for each
// iteration, in an arena that a sync empties where the source says that it may.

llvm.func @use(!llvm.ptr)
llvm.func @each(%n: i64) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %x = llvm.alloca %one x i64 {alignment = 32 : i64} : (i64) -> !llvm.ptr
  llvm.br ^outer
^outer:
  llvm.br ^body
^body:
  llvm.intr.lifetime.start %x : !llvm.ptr
  llvm.store %n, %x : i64, !llvm.ptr
  cilk.spawn @use(%x) : !llvm.func<void (ptr)>, !llvm.ptr
  %more = llvm.icmp "eq" %n, %n : i64
  llvm.cond_br %more, ^body, ^wait
^wait:
  cilk.sync {chan.releases}
  llvm.cond_br %more, ^outer, ^end
^end:
  llvm.return
}

// CHECK-LABEL: chan.kernel @each.0
// CHECK: %[[OBJECT:.*]] = chan.alloca %{{.*}} in %{{.*}} align 32
// CHECK-NOT: lifetime
// CHECK: llvm.store %{{.*}}, %[[OBJECT]]
// CHECK: chan.set "{{.*}}" of %{{.*}} to %[[OBJECT]] 
// CHECK-LABEL: chan.kernel @each.1
// CHECK: chan.tfree
// CHECK: chan.alloca_free
// CHECK: llvm.load
// CHECK: chan.alloca_free
// CHECK-NEXT: chan.frame_free
// CHECK: chan.alloca %{{.*}} in %{{.*}} align 32

// Children of the fast path have returned when the next object is made; those
// of the slow path have not.

// CLONE-LABEL: llvm.func internal @each.serial(
// CLONE: %[[ONE:.*]] = llvm.alloca %{{.*}} x i64 {alignment = 32
// CLONE-NOT: x i64 {alignment = 32
// CLONE: llvm.store %{{.*}}, %[[ONE]]
// CLONE: llvm.call @use(%[[ONE]])
// CLONE-NOT: llvm.alloca
// CLONE: %[[KEPT:.*]] = llvm.call @chan_late_keep(
// CLONE: llvm.store %[[KEPT]], %{{.*}} : !llvm.ptr, !llvm.ptr
// CLONE: llvm.call @chan_late_sync
// CLONE: llvm.call @chan_late_release

// Control may come to the use without passing the declaration: a variable has
// the address of the last object.

llvm.func @jump(%n: i64) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %x = llvm.alloca %one x i64 : (i64) -> !llvm.ptr
  %more = llvm.icmp "eq" %n, %n : i64
  llvm.cond_br %more, ^declare, ^use
^declare:
  llvm.intr.lifetime.start %x : !llvm.ptr
  llvm.br ^use
^use:
  cilk.spawn @use(%x) : !llvm.func<void (ptr)>, !llvm.ptr
  llvm.cond_br %more, ^declare, ^end
^end:
  cilk.sync
  llvm.return
}
// CHECK-LABEL: chan.kernel @jump.0
// CHECK: %[[NEXT:.*]] = chan.alloca
// CHECK: llvm.store %[[NEXT]], %{{.*}} : !llvm.ptr, !llvm.ptr
// CHECK: %[[LAST:.*]] = llvm.load %{{.*}} -> !llvm.ptr
// CHECK: chan.set "{{.*}}" of %{{.*}} to %[[LAST]] 

// One is enough where control comes but once, or no child knows the address.

llvm.func @once(%n: i64) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %x = llvm.alloca %one x i64 : (i64) -> !llvm.ptr
  %y = llvm.alloca %one x i64 : (i64) -> !llvm.ptr
  llvm.br ^declare
^declare:
  llvm.intr.lifetime.start %x : !llvm.ptr
  cilk.spawn @use(%x) : !llvm.func<void (ptr)>, !llvm.ptr
  llvm.br ^loop
^loop:
  llvm.intr.lifetime.start %y : !llvm.ptr
  llvm.store %n, %y : i64, !llvm.ptr
  %read = llvm.load %y : !llvm.ptr -> i64
  cilk.spawn @take(%read) : !llvm.func<void (i64)>, i64
  %more = llvm.icmp "eq" %read, %n : i64
  llvm.cond_br %more, ^loop, ^end
^end:
  cilk.sync {chan.releases}
  llvm.return
}
llvm.func @take(i64)
// CHECK-LABEL: chan.kernel @once.0
// CHECK-NOT: chan.alloca
// CHECK-NOT: lifetime
// CHECK-LABEL: chan.kernel @once.1
// CHECK-NOT: chan.alloca
