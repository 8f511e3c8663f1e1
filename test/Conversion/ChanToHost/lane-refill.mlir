//===- lane-refill.mlir - Lanes that take the next elements ---------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --lower-to-chan=batch-forms --chan-simd="vector-bits=512" --chan-to-host=vector-bits=512 %s | FileCheck %s

// CHECK-NOT: accumulate.{{enter|iterate}}
// CHECK: llvm.func internal @last.batch.reduce(
// Two wavefronts: what they go on with, and which lanes are in the loop.
// CHECK-COUNT-2: llvm.alloca %{{.*}} x i32 : (i64)
// CHECK: llvm.store %{{.*}}, %[[PRESENT:.*]] : vector<16xi1>, !llvm.ptr
// CHECK: llvm.store %{{.*}}, %{{.*}} : vector<16xi1>, !llvm.ptr

// CHECK: ^[[HEADER:.*]](%[[AT:.*]]: i64):  // 3 preds
// CHECK: llvm.cond_br %{{.*}}, ^[[CHOOSE:.*]], ^[[EXIT:bb[0-9]+]]
// CHECK: ^[[CHOOSE]]:
// CHECK: llvm.icmp "ult"
// CHECK: llvm.mlir.constant(128 : i64)
// CHECK: llvm.cond_br %{{.*}}, ^[[BEGIN:.*]], ^[[GROUP:bb[0-9]+]]
// CHECK: ^[[GROUP]]:
// CHECK: ^[[BEGIN]]:
// CHECK: llvm.store %[[AT]], %[[CURSOR:.*]] : i64

// Those that are absent begin elements, if there are so many; the last elements
// are begun together.
// CHECK: ^[[TURNS:bb[0-9]+]]:  // 2 preds
// CHECK: llvm.icmp "uge"
// CHECK: llvm.cond_br %{{.*}}, ^[[WHOLE:.*]], ^[[LAST:bb[0-9]+]]
// CHECK: ^[[WHOLE]]:
// CHECK: %[[IN:.*]] = llvm.load %[[PRESENT]]
// CHECK: %[[ABSENT:.*]] = llvm.xor %[[IN]]
// CHECK: llvm.cond_br %{{.*}}, ^[[ENTER:.*]](%[[ABSENT]] : vector<16xi1>), ^[[ITERATION:bb[0-9]+]]
// CHECK: ^[[LAST]]:
// CHECK: llvm.select %{{.*}} : i1, vector<16xi1>
// CHECK: llvm.cond_br %{{.*}}, ^[[ENTER]](%{{.*}} : vector<16xi1>), ^[[ITERATION]]

// A value of all is that of before if none needs it; a value of each lane is new
// in lanes that begin, and is kept in
// those that are in the loop.
// CHECK: ^[[ENTER]](%[[NEW:.*]]: vector<16xi1>):
// CHECK: llvm.load %[[CURSOR]]
// CHECK: "llvm.x86.avx512.mask.expand"(%{{.*}}, %{{.*}}, %[[NEW]])
// CHECK: %[[STAYS:.*]] = llvm.select %[[NEW]]
// CHECK: llvm.select %{{.*}} : i1, i32
// CHECK: llvm.select %[[NEW]], %{{.*}} : vector<16xi1>, vector<16xi32>
// CHECK: llvm.or %{{.*}}, %[[STAYS]] : vector<16xi1>
// CHECK: llvm.intr.ctpop
// CHECK: llvm.store %{{.*}}, %[[CURSOR]]

// CHECK: ^[[ITERATION]]:
// CHECK: llvm.cond_br %{{.*}}, ^[[RESUME:.*]], ^[[NEXT:bb[0-9]+]]
// CHECK: ^[[RESUME]]:
// CHECK: llvm.store %{{.*}}, %[[PRESENT]]
// CHECK: llvm.call @chan_batch_flush
// CHECK: llvm.store %{{.*}} : vector<16xi32>
// CHECK: llvm.store %{{.*}}, %[[PRESENT]]

// CHECK: ^[[NEXT]]:
// CHECK: "llvm.x86.avx512.mask.expand"
// CHECK: llvm.call @chan_batch_flush
// CHECK: llvm.cond_br %{{.*}}, ^[[TURNS]], ^[[HEADER]](
// CHECK: ^[[EXIT]]:
// CHECK: llvm.return
llvm.func @last(%name: i32, %all: i32) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %sum = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.store %zero, %sum : i32, !llvm.ptr
  %key = llvm.mul %all, %all : i32
  llvm.br ^head(%name : i32)
^head(%left: i32):
  %more = llvm.icmp "ne" %left, %zero : i32
  llvm.cond_br %more, ^body, ^after
^body:
  %own = llvm.mul %left, %key : i32
  cilk.spawn @last(%own, %all) to %sum apply @add : !llvm.func<i32 (i32, i32)>, i32, i32
  %next = llvm.lshr %left, %one : i32
  llvm.br ^head(%next : i32)
^after:
  cilk.sync
  %others = llvm.load %sum : !llvm.ptr -> i32
  llvm.return %others : i32
}
llvm.func @add(%to: !llvm.ptr, %from: !llvm.ptr) {
  %a = llvm.load %to : !llvm.ptr -> i32
  %b = llvm.load %from : !llvm.ptr -> i32
  %c = llvm.add %a, %b : i32
  llvm.store %c, %to : i32, !llvm.ptr
  llvm.return
}
