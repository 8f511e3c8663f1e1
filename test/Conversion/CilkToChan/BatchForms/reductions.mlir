//===- reductions.mlir - Results that are only combined -------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --lower-to-chan=batch-forms --split-input-file %s | FileCheck %s
// RUN: cilk2chan-opt --lower-to-chan=batch-forms --split-input-file --remark-policy=all --remarks-filter=chan-batch %s 2>&1 >/dev/null | FileCheck --check-prefix=REMARK %s
// RUN: cilk2chan-opt --lower-to-chan="batch-forms reductions=0" --split-input-file %s | FileCheck --check-prefix=OFF %s
// OFF-NOT: accumulate

// What both children return is added, and nothing else: one kernel does it all.
// A child that ends where it begins adds its result here; what is added to
// what children return is not said to be free of overflow.
// CHECK-LABEL: chan.kernel @sum.batch.reduce consumes @sum.entry produces [@sum.entry + 1] frame 0 phase 2{{.*}} source @sum
// CHECK: %[[N:.*]] = chan.get "a0"
// CHECK: llvm.cond_br %{{.*}}, ^[[BASE:.*]], ^[[REST:bb[0-9]+]]
// CHECK: ^[[BASE]]:
// CHECK-NEXT: chan.reduce_result %[[N]] : i32
// CHECK-NEXT: chan.done
// CHECK: ^[[REST]]:
// CHECK-NEXT: %[[N1:.*]] = llvm.sub %[[N]]
// CHECK-SAME: overflow<nsw>
// CHECK: %[[ENDS:.*]] = llvm.icmp "slt" %[[N1]]
// What children return makes no difference, and is not added.
// CHECK-NOT: llvm.add
// CHECK: chan.reduce_result %[[N]] : i32
// CHECK-NEXT: chan.done
// CHECK: chan.enq %{{.*}} site 0
// CHECK: llvm.cond_br %[[ENDS]], ^[[OVER:bb[0-9]+]], ^[[AFTER:bb[0-9]+]]
// CHECK: ^[[OVER]]:
// CHECK-NEXT: chan.reduce_result %[[N1]] : i32
// CHECK: ^[[AFTER]]:
// CHECK: chan.enq %{{.*}} site 1
// CHECK: chan.stack entry @sum.entry{{.*}} batch [@sum.batch.0, @sum.batch.1, @sum.batch.reduce] join_free sum :
// REMARK: remark: {{.*}}calls of 'sum' need not wait for their children: results are combined (sum)
llvm.func @sum(%n: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %small = llvm.icmp "slt" %n, %two : i32
  llvm.cond_br %small, ^base, ^rest
^base:
  llvm.return %n : i32
^rest:
  %n1 = llvm.sub %n, %one overflow<nsw> : i32
  cilk.spawn @sum(%n1) to %x : !llvm.func<i32 (i32)>, i32
  %n2 = llvm.sub %n, %two overflow<nsw> : i32
  %b = cilk.call @sum(%n2) : !llvm.func<i32 (i32)>, i32 -> i32
  cilk.sync
  %a = llvm.load %x : !llvm.ptr -> i32
  %both = llvm.add %a, %b overflow<nsw> : i32
  %all = llvm.add %both, %n overflow<nsw> : i32
  llvm.return %all : i32
}

// -----

// A loop that spawns: no receiver.  Another combination has another identity.
// CHECK-LABEL: chan.kernel @every.batch.reduce
// CHECK: chan.reduce_result %{{.*}} : i32
// CHECK-NEXT: chan.done
// CHECK: chan.enq %{{.*}} site 0 : <@every.entry>
// CHECK: chan.stack entry @every.entry{{.*}} batch [@every.batch.0, @every.batch.1, @every.batch.result.0, @every.batch.reduce] result_handlers 1 join_free and :
// REMARK: 'every' need not wait for their children: results are combined (and)
llvm.func @every(%n: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %all = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.store %n, %all : i32, !llvm.ptr
  llvm.br ^loop(%zero : i32)
^loop(%i: i32):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^body, ^end
^body:
  cilk.spawn @every(%i) to %all apply @both : !llvm.func<i32 (i32)>, i32
  %next = llvm.add %i, %one : i32
  llvm.br ^loop(%next : i32)
^end:
  cilk.sync
  %result = llvm.load %all : !llvm.ptr -> i32
  llvm.return %result : i32
}
llvm.func @both(%place: !llvm.ptr, %new: !llvm.ptr) {
  %a = llvm.load %place : !llvm.ptr -> i32
  %b = llvm.load %new : !llvm.ptr -> i32
  %c = llvm.and %a, %b : i32
  llvm.store %c, %place : i32, !llvm.ptr
  llvm.return
}

// -----

// A child that there may be or not, and a load after the sync of memory that no
// activation writes.
// CHECK-LABEL: chan.stack entry @maybe.entry
// CHECK-SAME: join_free product
llvm.func @maybe(%n: i32, %c: i1, %p: !llvm.ptr) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %y = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.store %one, %x : i32, !llvm.ptr
  %n1 = llvm.sub %n, %one : i32
  llvm.cond_br %c, ^spawn, ^not
^spawn:
  cilk.spawn @maybe(%n1, %c, %p) to %x : !llvm.func<i32 (i32, i1, ptr)>, i32, i1, !llvm.ptr
  llvm.br ^not
^not:
  cilk.spawn @maybe(%n1, %c, %p) to %y : !llvm.func<i32 (i32, i1, ptr)>, i32, i1, !llvm.ptr
  cilk.sync
  %a = llvm.load %x : !llvm.ptr -> i32
  %b = llvm.load %y : !llvm.ptr -> i32
  %m = llvm.load %p : !llvm.ptr -> i32
  %am = llvm.mul %m, %a : i32
  llvm.br ^end(%am : i32)
^end(%r: i32):
  %all = llvm.mul %r, %b : i32
  llvm.return %all : i32
}

// -----

// Two that spawn each other.
// CHECK-DAG: chan.stack entry @even.entry{{.*}} join_free xor :
// CHECK-DAG: chan.stack entry @odd.entry{{.*}} join_free xor :
llvm.func @even(%n: i64) -> i64 {
  %a = cilk.call @odd(%n) : !llvm.func<i64 (i64)>, i64 -> i64
  %r = llvm.xor %a, %n : i64
  llvm.return %r : i64
}
llvm.func @odd(%n: i64) -> i64 {
  %a = cilk.call @even(%n) : !llvm.func<i64 (i64)>, i64 -> i64
  %r = llvm.xor %n, %a : i64
  llvm.return %r : i64
}

// -----

// A sum in a wider type, of which the low bits are used.
// CHECK-LABEL: chan.kernel @narrow.batch.reduce
// CHECK: llvm.zext %{{[0-9]+}} : i8 to i32
// CHECK: llvm.trunc %{{[0-9]+}} : i32 to i8
// CHECK: chan.stack entry @narrow.entry{{.*}} join_free sum :
llvm.func @narrow(%n: i8) -> i8 {
  %a = cilk.call @narrow(%n) : !llvm.func<i8 (i8)>, i8 -> i8
  %wide = llvm.zext nneg %a : i8 to i32
  %own = llvm.sext %n : i8 to i32
  %both = llvm.add %wide, %own overflow<nsw, nuw> : i32
  %r = llvm.trunc %both overflow<nuw> : i32 to i8
  llvm.return %r : i8
}

// -----

// CHECK-NOT: join_free
// Not all of its bits.
// REMARK: 'half' must wait for their children: it does something else with their results
llvm.func @half(%n: i32) -> i32 {
  %a = cilk.call @half(%n) : !llvm.func<i32 (i32)>, i32 -> i32
  %low = llvm.trunc %a : i32 to i16
  %wide = llvm.zext %low : i16 to i32
  %r = llvm.add %wide, %n : i32
  llvm.return %r : i32
}

// -----

// CHECK-NOT: join_free
// Two whose sums are of different kinds.
// REMARK-COUNT-2: must wait for their children: '{{.*}}', which it spawns, combines results in another way
llvm.func @sums(%n: i64) -> i64 {
  %a = cilk.call @xors(%n) : !llvm.func<i64 (i64)>, i64 -> i64
  %r = llvm.add %a, %n : i64
  llvm.return %r : i64
}
llvm.func @xors(%n: i64) -> i64 {
  %a = cilk.call @sums(%n) : !llvm.func<i64 (i64)>, i64 -> i64
  %r = llvm.xor %n, %a : i64
  llvm.return %r : i64
}

// -----

// CHECK-NOT: join_free
// Lost on one path.
// REMARK: 'lost' must wait for their children: it does something else with their results than combining them by one operation (+, *, &, |, ^, minimum or maximum)
llvm.func @lost(%n: i32, %c: i1) -> i32 {
  %a = cilk.call @lost(%n, %c) : !llvm.func<i32 (i32, i1)>, i32, i1 -> i32
  llvm.cond_br %c, ^some, ^none
^some:
  llvm.return %a : i32
^none:
  llvm.return %n : i32
}

// -----

// CHECK-NOT: join_free
// Read, and left where the paths meet.
// REMARK: 'dropped' must wait for their children: it does something else with their results
llvm.func @dropped(%n: i32, %c: i1) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  cilk.spawn @dropped(%n, %c) to %x : !llvm.func<i32 (i32, i1)>, i32, i1
  cilk.sync
  llvm.cond_br %c, ^read, ^load
^read:
  %a = llvm.load %x : !llvm.ptr -> i32
  llvm.br ^end(%n : i32)
^load:
  %b = llvm.load %x : !llvm.ptr -> i32
  llvm.br ^end(%b : i32)
^end(%r: i32):
  llvm.return %r : i32
}

// -----

// CHECK-NOT: join_free
// REMARK: :[[#@LINE+4]]:{{.*}}'less' must wait for their children: it does something else with their results
llvm.func @less(%n: i32) -> i32 {
  %a = cilk.call @less(%n) : !llvm.func<i32 (i32)>, i32 -> i32
  // A difference has another sign at each level.
  %r = llvm.sub %n, %a : i32
  llvm.return %r : i32
}

// -----

// CHECK-NOT: join_free
// REMARK: :[[#@LINE+3]]:{{.*}}'double' must wait for their children: it does something else with their results
llvm.func @double(%n: i32) -> i32 {
  %a = cilk.call @double(%n) : !llvm.func<i32 (i32)>, i32 -> i32
  %r = llvm.add %a, %a : i32
  llvm.return %r : i32
}

// -----

// CHECK-NOT: join_free
// REMARK: :[[#@LINE+5]]:{{.*}}'tested' must wait for their children: it does something else with their results
llvm.func @tested(%n: i32) -> i32 {
  %a = cilk.call @tested(%n) : !llvm.func<i32 (i32)>, i32 -> i32
  // It is used twice, and not only added.
  %r = llvm.add %a, %n : i32
  %c = llvm.icmp "slt" %a, %n : i32
  llvm.cond_br %c, ^end, ^other
^end:
  llvm.return %r : i32
^other:
  llvm.return %r : i32
}

// -----

// CHECK-NOT: join_free
// Each iteration's result replaces the one before.
// REMARK: :[[#@LINE+11]]:{{.*}}'last' must wait for their children: it does something else with their results
llvm.func @last(%n: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.store %n, %x : i32, !llvm.ptr
  llvm.br ^loop(%zero : i32)
^loop(%i: i32):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^body, ^end
^body:
  cilk.spawn @last(%i) to %x : !llvm.func<i32 (i32)>, i32
  %next = llvm.add %i, %one : i32
  llvm.br ^loop(%next : i32)
^end:
  cilk.sync
  %r = llvm.load %x : !llvm.ptr -> i32
  llvm.return %r : i32
}

// -----

// CHECK-NOT: join_free
// What the variable holds is read twice.
// REMARK: :[[#@LINE+8]]:{{.*}}'again' must wait for their children: it does something else with their results
llvm.func @again(%n: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  cilk.spawn @again(%n) to %x : !llvm.func<i32 (i32)>, i32
  cilk.sync
  %a = llvm.load %x : !llvm.ptr -> i32
  // Once more.
  %b = llvm.load %x : !llvm.ptr -> i32
  %r = llvm.add %a, %b : i32
  llvm.return %r : i32
}

// -----

// CHECK-NOT: join_free
// REMARK: 'subtracted' must wait for their children: it does something else with their results
llvm.func @subtracted(%n: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.store %n, %x : i32, !llvm.ptr
  cilk.spawn @subtracted(%n) to %x apply @minus : !llvm.func<i32 (i32)>, i32
  cilk.sync
  %r = llvm.load %x : !llvm.ptr -> i32
  llvm.return %r : i32
}
llvm.func @minus(%place: !llvm.ptr, %new: !llvm.ptr) {
  %a = llvm.load %place : !llvm.ptr -> i32
  %b = llvm.load %new : !llvm.ptr -> i32
  %c = llvm.sub %a, %b : i32
  llvm.store %c, %place : i32, !llvm.ptr
  llvm.return
}

// -----

// The larger one, in each of the ways to write it; and what is compared in
// another type than it is returned.
// CHECK: chan.stack entry @larger.entry{{.*}} join_free smax
// CHECK: chan.stack entry @least.entry{{.*}} join_free umin
// CHECK: chan.stack entry @most.entry{{.*}} join_free smin
// CHECK-NOT: join_free
// REMARK-DAG: 'widened' must wait for their children: it does something else with their results
// REMARK-DAG: 'other' must wait for their children: it does something else with their results
llvm.func @larger(%n: i32) -> i32 {
  %a = cilk.call @larger(%n) : !llvm.func<i32 (i32)>, i32 -> i32
  %b = cilk.call @larger(%n) : !llvm.func<i32 (i32)>, i32 -> i32
  %more = llvm.icmp "sge" %a, %b : i32
  %c = llvm.select %more, %a, %b : i1, i32
  %more2 = llvm.icmp "slt" %c, %n : i32
  %d = llvm.select %more2, %n, %c : i1, i32
  llvm.return %d : i32
}
llvm.func @least(%n: i32) -> i32 {
  %a = cilk.call @least(%n) : !llvm.func<i32 (i32)>, i32 -> i32
  %b = cilk.call @least(%n) : !llvm.func<i32 (i32)>, i32 -> i32
  %more = llvm.icmp "ugt" %a, %b : i32
  %c = llvm.select %more, %b, %a : i1, i32
  llvm.return %c : i32
}
llvm.func @most(%n: i32) -> i32 {
  %a = cilk.call @most(%n) : !llvm.func<i32 (i32)>, i32 -> i32
  %c = llvm.intr.smin(%a, %n) : (i32, i32) -> i32
  llvm.return %c : i32
}
llvm.func @widened(%n: i8) -> i8 {
  %a = cilk.call @widened(%n) : !llvm.func<i8 (i8)>, i8 -> i8
  %b = llvm.zext %a : i8 to i32
  %m = llvm.zext %n : i8 to i32
  %c = llvm.intr.smax(%b, %m) : (i32, i32) -> i32
  %d = llvm.trunc %c : i32 to i8
  llvm.return %d : i8
}
llvm.func @other(%n: i32) -> i32 {
  %a = cilk.call @other(%n) : !llvm.func<i32 (i32)>, i32 -> i32
  %more = llvm.icmp "sgt" %a, %n : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %c = llvm.select %more, %a, %zero : i1, i32
  llvm.return %c : i32
}

// -----

// All of the result, in a wider type for a while, and less than all of it.
// CHECK: chan.stack entry @whole.entry{{.*}} join_free sum
// CHECK-NOT: join_free
// REMARK-DAG: 'whole' need not wait for their children
// REMARK-DAG: 'cut' must wait for their children: it does something else with their results
llvm.func @whole(%n: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.store %n, %x : i32, !llvm.ptr
  cilk.spawn @whole(%n) to %x apply @wide : !llvm.func<i32 (i32)>, i32
  cilk.sync
  %r = llvm.load %x : !llvm.ptr -> i32
  llvm.return %r : i32
}
llvm.func @wide(%place: !llvm.ptr, %new: !llvm.ptr) {
  %a = llvm.load %place : !llvm.ptr -> i32
  %b = llvm.load %new : !llvm.ptr -> i32
  %c = llvm.sext %a : i32 to i64
  %d = llvm.sext %b : i32 to i64
  %e = llvm.add %c, %d : i64
  %f = llvm.trunc %e : i64 to i32
  llvm.store %f, %place : i32, !llvm.ptr
  llvm.return
}
llvm.func @cut(%n: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.store %n, %x : i32, !llvm.ptr
  cilk.spawn @cut(%n) to %x apply @short : !llvm.func<i32 (i32)>, i32
  cilk.sync
  %r = llvm.load %x : !llvm.ptr -> i32
  llvm.return %r : i32
}
llvm.func @short(%place: !llvm.ptr, %new: !llvm.ptr) {
  %a = llvm.load %place : !llvm.ptr -> i32
  %b = llvm.load %new : !llvm.ptr -> i32
  %c = llvm.trunc %b : i32 to i16
  %d = llvm.sext %c : i16 to i32
  %e = llvm.add %a, %d : i32
  llvm.store %e, %place : i32, !llvm.ptr
  llvm.return
}

// -----

// CHECK-NOT: join_free
// REMARK: :[[#@LINE+3]]:{{.*}}'writes' must wait for their children: it writes to memory after a sync
llvm.func @writes(%n: i32, %p: !llvm.ptr) -> i32 {
  %a = cilk.call @writes(%n, %p) : !llvm.func<i32 (i32, ptr)>, i32, !llvm.ptr -> i32
  llvm.store %n, %p : i32, !llvm.ptr
  %r = llvm.add %a, %n : i32
  llvm.return %r : i32
}

// -----

// CHECK-NOT: join_free
// REMARK: :[[#@LINE+4]]:{{.*}}'reads' must wait for their children: it reads memory after a sync, where a child may have written
llvm.func @reads(%n: i32, %p: !llvm.ptr) -> i32 {
  llvm.store %n, %p : i32, !llvm.ptr
  %a = cilk.call @reads(%n, %p) : !llvm.func<i32 (i32, ptr)>, i32, !llvm.ptr -> i32
  %b = llvm.load %p : !llvm.ptr -> i32
  %r = llvm.add %a, %b : i32
  llvm.return %r : i32
}

// -----

// CHECK-NOT: join_free
// REMARK: :[[#@LINE+3]]:{{.*}}'shows' must wait for their children: a child may use one of its objects
llvm.func @shows(%n: i32, %p: !llvm.ptr) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %a = cilk.call @shows(%n, %x) : !llvm.func<i32 (i32, ptr)>, i32, !llvm.ptr -> i32
  %r = llvm.add %a, %n : i32
  llvm.return %r : i32
}

// -----

// CHECK-NOT: join_free
// REMARK: 'floats' must wait for their children: its result is no integer
llvm.func @floats(%n: f32) -> f32 {
  %a = cilk.call @floats(%n) : !llvm.func<f32 (f32)>, f32 -> f32
  %r = llvm.fadd %a, %n : f32
  llvm.return %r : f32
}

// -----

// Where ways come together, what is constant on one is reduced on each: a
// branch that leads there by itself gets a block for that, and what children
// return is nothing.
// CHECK-LABEL: chan.kernel @merged.batch.reduce
// CHECK: llvm.cond_br %{{.*}}, ^[[EDGE:bb[0-9]+]], ^[[MORE:bb[0-9]+]]
// CHECK: ^[[MORE]]:
// CHECK-NOT: llvm.add
// CHECK: llvm.br ^[[END:bb[0-9]+]]{{$}}
// CHECK-NEXT: ^[[EDGE]]:
// CHECK-NEXT: chan.reduce_result %{{.*}} : i32
// CHECK-NEXT: llvm.br ^[[END]]
// CHECK: ^[[END]]:
// CHECK-NEXT: chan.done
llvm.func @merged(%n: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %seven = llvm.mlir.constant(7 : i32) : i32
  %small = llvm.icmp "slt" %n, %two : i32
  llvm.cond_br %small, ^end(%seven : i32), ^more
^more:
  %n1 = llvm.sub %n, %one : i32
  %a = cilk.call @merged(%n1) : !llvm.func<i32 (i32)>, i32 -> i32
  %n2 = llvm.sub %n, %two : i32
  %b = cilk.call @merged(%n2) : !llvm.func<i32 (i32)>, i32 -> i32
  %both = llvm.add %a, %b : i32
  llvm.br ^end(%both : i32)
^end(%result: i32):
  llvm.return %result : i32
}
