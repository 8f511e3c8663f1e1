//===- uniform-loads.mlir - What begins a recursion loads what all share --===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --lower-to-chan="batch-forms reductions=0" %s | FileCheck %s

// A depth that the function that begins the recursion loads.
// CHECK-DAG: chan.stack entry @of_loads.entry{{.*}} uniform ["a1"] :
// CHECK-DAG: chan.stack entry @loads.entry{{.*}} uniform ["a0"] :
// The same behind a store to an object of its own, each time it spawns.
// CHECK-DAG: chan.stack entry @of_again.entry{{.*}} uniform ["a1"] :
// It may have changed in between.
// CHECK-DAG: chan.stack entry @of_changes.entry{{.*}}batch{{[^u]*}} :
// One that is loaded before that is the same, though.
// CHECK-DAG: chan.stack entry @of_before.entry{{.*}} uniform ["a1"] :
// Two that each load it, where nothing is stored.
// CHECK-DAG: chan.stack entry @of_anew.entry{{.*}} uniform ["a1"] :
// And where something is, in between.
// CHECK-DAG: chan.stack entry @of_between.entry{{.*}}batch{{[^u]*}} :
// Children get one and the other.
// CHECK-DAG: chan.stack entry @of_both.entry{{.*}}batch{{[^u]*}} :
// Others may change it at any time.
// CHECK-DAG: chan.stack entry @of_atomic.entry{{.*}}batch{{[^u]*}} :
// Of those that are spawned there are many.
// CHECK-DAG: chan.stack entry @of_spawned.entry{{.*}}batch{{[^u]*}} :
// Later phases have it from the activation's locals.
// CHECK-DAG: chan.stack entry @of_later.entry{{.*}}batch{{[^u]*}} :

llvm.func @use(i32)

llvm.func @of_loads(%v: i32, %n: i32) {
  %c = llvm.mlir.constant(1 : i32) : i32
  %end = llvm.icmp "slt" %n, %c : i32
  llvm.cond_br %end, ^leaf, ^more
^leaf:
  llvm.call @use(%v) : (i32) -> ()
  llvm.return
^more:
  %less = llvm.sub %n, %c : i32
  %w = llvm.add %v, %v : i32
  cilk.spawn @of_loads(%v, %less) : !llvm.func<void (i32, i32)>, i32, i32
  cilk.spawn @of_loads(%w, %less) : !llvm.func<void (i32, i32)>, i32, i32
  cilk.sync
  llvm.return
}
llvm.func @loads(%p: !llvm.ptr, %v: i32) {
  %c = llvm.mlir.constant(1 : i32) : i32
  %n = llvm.load %p : !llvm.ptr -> i32
  cilk.spawn @of_loads(%v, %n) : !llvm.func<void (i32, i32)>, i32, i32
  cilk.spawn @of_loads(%c, %n) : !llvm.func<void (i32, i32)>, i32, i32
  cilk.sync
  llvm.return
}

llvm.func @of_again(%v: i32, %n: i32) {
  %c = llvm.mlir.constant(1 : i32) : i32
  %end = llvm.icmp "slt" %n, %c : i32
  llvm.cond_br %end, ^leaf, ^more
^leaf:
  llvm.call @use(%v) : (i32) -> ()
  llvm.return
^more:
  %less = llvm.sub %n, %c : i32
  %w = llvm.add %v, %v : i32
  cilk.spawn @of_again(%v, %less) : !llvm.func<void (i32, i32)>, i32, i32
  cilk.spawn @of_again(%w, %less) : !llvm.func<void (i32, i32)>, i32, i32
  cilk.sync
  llvm.return
}
llvm.func @again(%p: !llvm.ptr, %v: i32) {
  %c = llvm.mlir.constant(1 : i32) : i32
  %own = llvm.alloca %c x i32 : (i32) -> !llvm.ptr
  llvm.br ^loop(%c : i32)
^loop(%i: i32):
  llvm.store %i, %own : i32, !llvm.ptr
  %n = llvm.load %p : !llvm.ptr -> i32
  cilk.spawn @of_again(%i, %n) : !llvm.func<void (i32, i32)>, i32, i32
  %next = llvm.add %i, %c : i32
  %more = llvm.icmp "slt" %next, %v : i32
  llvm.cond_br %more, ^loop(%next : i32), ^end
^end:
  cilk.sync
  llvm.return
}

llvm.func @of_changes(%v: i32, %n: i32) {
  %c = llvm.mlir.constant(1 : i32) : i32
  %end = llvm.icmp "slt" %n, %c : i32
  llvm.cond_br %end, ^leaf, ^more
^leaf:
  llvm.call @use(%v) : (i32) -> ()
  llvm.return
^more:
  %less = llvm.sub %n, %c : i32
  %w = llvm.add %v, %v : i32
  cilk.spawn @of_changes(%v, %less) : !llvm.func<void (i32, i32)>, i32, i32
  cilk.spawn @of_changes(%w, %less) : !llvm.func<void (i32, i32)>, i32, i32
  cilk.sync
  llvm.return
}
llvm.func @changes(%p: !llvm.ptr, %v: i32) {
  %c = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop(%c : i32)
^loop(%i: i32):
  llvm.store %i, %p : i32, !llvm.ptr
  %n = llvm.load %p : !llvm.ptr -> i32
  cilk.spawn @of_changes(%i, %n) : !llvm.func<void (i32, i32)>, i32, i32
  %next = llvm.add %i, %c : i32
  %more = llvm.icmp "slt" %next, %v : i32
  llvm.cond_br %more, ^loop(%next : i32), ^end
^end:
  cilk.sync
  llvm.return
}

llvm.func @of_before(%v: i32, %n: i32) {
  %c = llvm.mlir.constant(1 : i32) : i32
  %end = llvm.icmp "slt" %n, %c : i32
  llvm.cond_br %end, ^leaf, ^more
^leaf:
  llvm.call @use(%v) : (i32) -> ()
  llvm.return
^more:
  %less = llvm.sub %n, %c : i32
  %w = llvm.add %v, %v : i32
  cilk.spawn @of_before(%v, %less) : !llvm.func<void (i32, i32)>, i32, i32
  cilk.spawn @of_before(%w, %less) : !llvm.func<void (i32, i32)>, i32, i32
  cilk.sync
  llvm.return
}
llvm.func @before(%p: !llvm.ptr, %v: i32) {
  %c = llvm.mlir.constant(1 : i32) : i32
  %n = llvm.load %p : !llvm.ptr -> i32
  llvm.store %v, %p : i32, !llvm.ptr
  cilk.spawn @of_before(%v, %n) : !llvm.func<void (i32, i32)>, i32, i32
  cilk.spawn @of_before(%c, %n) : !llvm.func<void (i32, i32)>, i32, i32
  cilk.sync
  llvm.return
}

llvm.func @of_both(%v: i32, %n: i32) {
  %c = llvm.mlir.constant(1 : i32) : i32
  %end = llvm.icmp "slt" %n, %c : i32
  llvm.cond_br %end, ^leaf, ^more
^leaf:
  llvm.call @use(%v) : (i32) -> ()
  llvm.return
^more:
  %less = llvm.sub %n, %c : i32
  %w = llvm.add %v, %v : i32
  cilk.spawn @of_both(%v, %less) : !llvm.func<void (i32, i32)>, i32, i32
  cilk.spawn @of_both(%w, %less) : !llvm.func<void (i32, i32)>, i32, i32
  cilk.sync
  llvm.return
}
llvm.func @both(%p: !llvm.ptr, %v: i32) {
  %c = llvm.mlir.constant(1 : i32) : i32
  %n = llvm.load %p : !llvm.ptr -> i32
  cilk.spawn @of_both(%v, %n) : !llvm.func<void (i32, i32)>, i32, i32
  llvm.store %v, %p : i32, !llvm.ptr
  %m = llvm.load %p : !llvm.ptr -> i32
  cilk.spawn @of_both(%c, %m) : !llvm.func<void (i32, i32)>, i32, i32
  cilk.sync
  llvm.return
}

llvm.func @of_atomic(%v: i32, %n: i32) {
  %c = llvm.mlir.constant(1 : i32) : i32
  %end = llvm.icmp "slt" %n, %c : i32
  llvm.cond_br %end, ^leaf, ^more
^leaf:
  llvm.call @use(%v) : (i32) -> ()
  llvm.return
^more:
  %less = llvm.sub %n, %c : i32
  %w = llvm.add %v, %v : i32
  cilk.spawn @of_atomic(%v, %less) : !llvm.func<void (i32, i32)>, i32, i32
  cilk.spawn @of_atomic(%w, %less) : !llvm.func<void (i32, i32)>, i32, i32
  cilk.sync
  llvm.return
}
llvm.func @atomic(%p: !llvm.ptr, %v: i32) {
  %c = llvm.mlir.constant(1 : i32) : i32
  %n = llvm.load %p atomic monotonic {alignment = 4 : i64} : !llvm.ptr -> i32
  cilk.spawn @of_atomic(%v, %n) : !llvm.func<void (i32, i32)>, i32, i32
  cilk.spawn @of_atomic(%c, %n) : !llvm.func<void (i32, i32)>, i32, i32
  cilk.sync
  llvm.return
}

llvm.func @of_spawned(%v: i32, %n: i32) {
  %c = llvm.mlir.constant(1 : i32) : i32
  %end = llvm.icmp "slt" %n, %c : i32
  llvm.cond_br %end, ^leaf, ^more
^leaf:
  llvm.call @use(%v) : (i32) -> ()
  llvm.return
^more:
  %less = llvm.sub %n, %c : i32
  %w = llvm.add %v, %v : i32
  cilk.spawn @of_spawned(%v, %less) : !llvm.func<void (i32, i32)>, i32, i32
  cilk.spawn @of_spawned(%w, %less) : !llvm.func<void (i32, i32)>, i32, i32
  cilk.sync
  llvm.return
}
llvm.func @spawned(%p: !llvm.ptr, %v: i32) {
  %c = llvm.mlir.constant(1 : i32) : i32
  %n = llvm.load %p : !llvm.ptr -> i32
  cilk.spawn @of_spawned(%v, %n) : !llvm.func<void (i32, i32)>, i32, i32
  cilk.spawn @of_spawned(%c, %n) : !llvm.func<void (i32, i32)>, i32, i32
  cilk.sync
  llvm.return
}
llvm.func @main(%p: !llvm.ptr) {
  %c = llvm.mlir.constant(1 : i32) : i32
  cilk.spawn @spawned(%p, %c) : !llvm.func<void (ptr, i32)>, !llvm.ptr, i32
  cilk.sync
  llvm.return
}

llvm.func @of_later(%v: i32, %n: i32) {
  %c = llvm.mlir.constant(1 : i32) : i32
  %end = llvm.icmp "slt" %n, %c : i32
  llvm.cond_br %end, ^leaf, ^more
^leaf:
  llvm.call @use(%v) : (i32) -> ()
  llvm.return
^more:
  %less = llvm.sub %n, %c : i32
  %w = llvm.add %v, %v : i32
  cilk.spawn @of_later(%v, %less) : !llvm.func<void (i32, i32)>, i32, i32
  cilk.spawn @of_later(%w, %less) : !llvm.func<void (i32, i32)>, i32, i32
  cilk.sync
  llvm.return
}
llvm.func @later(%p: !llvm.ptr, %v: i32) {
  %c = llvm.mlir.constant(1 : i32) : i32
  %n = llvm.load %p : !llvm.ptr -> i32
  cilk.spawn @of_later(%v, %n) : !llvm.func<void (i32, i32)>, i32, i32
  cilk.sync
  cilk.spawn @of_later(%c, %n) : !llvm.func<void (i32, i32)>, i32, i32
  cilk.sync
  llvm.return
}

llvm.func @of_anew(%v: i32, %n: i32) {
  %c = llvm.mlir.constant(1 : i32) : i32
  %end = llvm.icmp "slt" %n, %c : i32
  llvm.cond_br %end, ^leaf, ^more
^leaf:
  llvm.call @use(%v) : (i32) -> ()
  llvm.return
^more:
  %less = llvm.sub %n, %c : i32
  %w = llvm.add %v, %v : i32
  cilk.spawn @of_anew(%v, %less) : !llvm.func<void (i32, i32)>, i32, i32
  cilk.spawn @of_anew(%w, %less) : !llvm.func<void (i32, i32)>, i32, i32
  cilk.sync
  llvm.return
}
llvm.func @anew(%p: !llvm.ptr, %q: !llvm.ptr, %v: i32) {
  %c = llvm.mlir.constant(1 : i32) : i32
  %n = llvm.load %p : !llvm.ptr -> i32
  %less = llvm.sub %n, %c : i32
  cilk.spawn @of_anew(%v, %less) : !llvm.func<void (i32, i32)>, i32, i32
  %anew = llvm.load %p : !llvm.ptr -> i32
  %again = llvm.sub %anew, %c : i32
  cilk.spawn @of_anew(%c, %again) : !llvm.func<void (i32, i32)>, i32, i32
  cilk.sync
  llvm.return
}

llvm.func @of_between(%v: i32, %n: i32) {
  %c = llvm.mlir.constant(1 : i32) : i32
  %end = llvm.icmp "slt" %n, %c : i32
  llvm.cond_br %end, ^leaf, ^more
^leaf:
  llvm.call @use(%v) : (i32) -> ()
  llvm.return
^more:
  %less = llvm.sub %n, %c : i32
  %w = llvm.add %v, %v : i32
  cilk.spawn @of_between(%v, %less) : !llvm.func<void (i32, i32)>, i32, i32
  cilk.spawn @of_between(%w, %less) : !llvm.func<void (i32, i32)>, i32, i32
  cilk.sync
  llvm.return
}
llvm.func @between(%p: !llvm.ptr, %q: !llvm.ptr, %v: i32) {
  %c = llvm.mlir.constant(1 : i32) : i32
  %n = llvm.load %p : !llvm.ptr -> i32
  %less = llvm.sub %n, %c : i32
  cilk.spawn @of_between(%v, %less) : !llvm.func<void (i32, i32)>, i32, i32
  llvm.store %v, %q : i32, !llvm.ptr
  %anew = llvm.load %p : !llvm.ptr -> i32
  %again = llvm.sub %anew, %c : i32
  cilk.spawn @of_between(%c, %again) : !llvm.func<void (i32, i32)>, i32, i32
  cilk.sync
  llvm.return
}
