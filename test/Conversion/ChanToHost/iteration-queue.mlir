//===- iteration-queue.mlir - Iterations of many activations --------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --lower-to-chan=batch-forms --chan-simd="vector-bits=512" --chan-to-host=vector-bits=512 %s | FileCheck %s

// CHECK-NOT: accumulate.{{enter|iterate}}
// CHECK: llvm.func internal @tree.batch.reduce(
// A variable for what all have the same of; arrays of what they have each, if
// there is memory for these.
// CHECK: %[[ALIKE:.*]] = llvm.alloca %{{.*}} x i32 : (i64)
// CHECK: llvm.mlir.constant(8768 : i64)
// CHECK-NEXT: %[[HAS_QUEUE:.*]] = llvm.icmp "uge"
// CHECK: llvm.getelementptr inbounds %{{.*}}[4352]

// Others may have taken some of the elements while children ran: the end is a
// variable.  Groups go the slower way while that is not known to be the worse one.
// CHECK: ^[[HEADER:.*]](%[[AT:.*]]: i64):  // 4 preds
// CHECK: llvm.cond_br %{{.*}}, ^[[CHOOSE:.*]], ^[[LEAVE:bb[0-9]+]]
// CHECK: ^[[CHOOSE]]:
// CHECK: %[[IS_SPARSE:.*]] = llvm.icmp "ult"
// CHECK: %[[MANY:.*]] = llvm.mlir.constant(128 : i64)
// CHECK-NEXT: %[[IS_MUCH:.*]] = llvm.icmp "uge" %{{.*}}, %[[MANY]]
// CHECK: %[[ALSO:.*]] = llvm.and %[[IS_MUCH]], %[[HAS_QUEUE]]
// CHECK-NEXT: %[[BOTH:.*]] = llvm.and %[[IS_SPARSE]], %[[ALSO]]
// CHECK-NEXT: llvm.cond_br %[[BOTH]], ^[[ENTER:.*]], ^[[GROUP:bb[0-9]+]]
// CHECK: ^[[GROUP]]:
// CHECK: %[[LEFT:.*]] = llvm.call @chan_batch_flush(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (!llvm.ptr, !llvm.ptr, i32, i32) -> i32
// CHECK-NEXT: %[[WIDE:.*]] = llvm.zext %[[LEFT]]
// CHECK-NEXT: llvm.store %[[WIDE]], %[[LIMIT:[^ ]*]]

// A group enters the queue. What may have no value where no lane has is not
// overwritten then.
// CHECK: ^[[ENTER]]:
// CHECK: llvm.load %[[LIMIT]]
// CHECK: %[[FIRST:.*]] = llvm.load %[[QUEUED:.*]] : !llvm.ptr -> i64
// CHECK: %[[ANY:.*]] = llvm.icmp "ne"
// CHECK: "llvm.experimental.vector.compress"
// CHECK: %[[BEFORE:.*]] = llvm.load %[[ALIKE]]
// CHECK-NEXT: %[[NOW:.*]] = llvm.select %[[ANY]], %{{.*}}, %[[BEFORE]]
// CHECK-NEXT: llvm.store %[[NOW]], %[[ALIKE]]
// CHECK: llvm.cond_br %{{.*}}, ^[[ROUNDS:bb[0-9]+]](%{{.*}} : i64), ^[[HEADER]](

// CHECK: ^[[LEAVE]]:
// CHECK: llvm.cond_br %{{.*}}, ^[[ROUNDS]](%[[AT]] : i64), ^[[EXIT:bb[0-9]+]]

// All that is there does one iteration; what goes on, another.
// CHECK: ^[[ROUNDS]](%[[POSITION:.*]]: i64):
// CHECK: %[[NUMBER:.*]] = llvm.load %[[QUEUED]]
// CHECK: llvm.store %{{.*}}, %[[QUEUED]]
// CHECK: %[[ITERATION:.*]] = llvm.load %[[ALIKE]]
// CHECK: ^[[HEAD:.*]](%[[NEXT:.*]]: i64):  // 2 preds
// CHECK: llvm.icmp "ult" %[[NEXT]], %[[NUMBER]]
// CHECK: llvm.cond_br %{{.*}}, ^{{.*}}, ^[[END:bb[0-9]+]]
// CHECK: llvm.getelementptr inbounds %{{.*}}[%[[NEXT]]]
// CHECK-NEXT: llvm.load %{{.*}} -> vector<16xi32>
// CHECK: llvm.call @chan_batch_flush
// CHECK: llvm.add %[[ITERATION]]
// CHECK: llvm.br ^[[HEAD]](
// CHECK: ^[[END]]:
// CHECK: llvm.cond_br %{{.*}}, ^[[ROUNDS]](%[[POSITION]] : i64), ^[[HEADER]](%[[POSITION]] : i64)
// CHECK: ^[[EXIT]]:
// CHECK: llvm.return
llvm.func @tree(%name: i32, %depth: i32) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %seven = llvm.mlir.constant(7 : i32) : i32
  %all = llvm.mlir.constant(1 : i64) : i64
  %sum = llvm.alloca %all x i32 : (i64) -> !llvm.ptr
  llvm.store %one, %sum : i32, !llvm.ptr
  %end = llvm.and %name, %seven : i32
  llvm.br ^head(%zero : i32)
^head(%i: i32):
  %more = llvm.icmp "slt" %i, %end : i32
  llvm.cond_br %more, ^body, ^after
^body:
  %child = llvm.mul %name, %i : i32
  %deeper = llvm.sub %depth, %one : i32
  cilk.spawn @tree(%child, %deeper) to %sum apply @add : !llvm.func<i32 (i32, i32)>, i32, i32
  %next = llvm.add %i, %one : i32
  llvm.br ^head(%next : i32)
^after:
  cilk.sync
  %result = llvm.load %sum : !llvm.ptr -> i32
  llvm.return %result : i32
}
llvm.func @add(%to: !llvm.ptr, %from: !llvm.ptr) {
  %a = llvm.load %to : !llvm.ptr -> i32
  %b = llvm.load %from : !llvm.ptr -> i32
  %c = llvm.add %a, %b : i32
  llvm.store %c, %to : i32, !llvm.ptr
  llvm.return
}
