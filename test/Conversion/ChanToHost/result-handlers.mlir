//===- result-handlers.mlir - Where results of children are stored --------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --lower-to-chan=batch-forms --chan-simd="vector-bits=512 lanes=8" --chan-to-host=vector-bits=512 %s | FileCheck %s

// What goes to each lane's own element is stored as it is, which needs no
// lanes: a loop counts what the records of the site have, another one stores so
// many.
// CHECK-LABEL: llvm.func internal @each.batch.result.0(
// CHECK-NOT: vector<
// CHECK: %[[IS:.*]] = llvm.icmp "eq" %{{.*}}, %{{.*}} : i32
// CHECK: llvm.cond_br %[[IS]], ^[[OWN:bb[0-9]+]], ^[[EACH:bb[0-9]+]](
// CHECK: ^[[OWN]]:
// CHECK: llvm.intr.ctpop
// CHECK: ^[[EACH]](%[[AT:.*]]: i64)
// CHECK: llvm.icmp "ult" %[[AT]]
// CHECK: %[[VALUE:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i32
// CHECK: %[[TO:.*]] = llvm.load %{{.*}} : !llvm.ptr -> !llvm.ptr
// CHECK: llvm.store %[[VALUE]], %[[TO]] {alignment = 1 : i64} : i32
// CHECK-NOT: vector<
// CHECK: llvm.return
llvm.func @each(%n: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %four = llvm.mlir.constant(4 : i32) : i32
  %a = llvm.alloca %one x !llvm.array<4 x i32> : (i32) -> !llvm.ptr
  llvm.br ^loop(%n : i32)
^loop(%i: i32):
  %more = llvm.icmp "ult" %i, %four : i32
  llvm.cond_br %more, ^body, ^end
^body:
  %at = llvm.getelementptr %a[0, %i] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<4 x i32>
  cilk.spawn @each(%i) to %at : !llvm.func<i32 (i32)>, i32
  %next = llvm.add %i, %one : i32
  llvm.br ^loop(%next : i32)
^end:
  cilk.sync
  %result = llvm.load %a : !llvm.ptr -> i32
  llvm.return %result : i32
}

// Where all go to the same element, the address is stored and loaded once for a
// group.
// CHECK-LABEL: llvm.func internal @same.batch.0(
// CHECK: "llvm.experimental.vector.compress"
// CHECK: llvm.getelementptr {{.*}} !llvm.array<4 x i8>
// CHECK-NEXT: llvm.store {{.*}} vector<8xi32>
// CHECK-NEXT: %[[TO:.*]] = llvm.getelementptr {{.*}} !llvm.array<8 x i8>
// CHECK-NEXT: llvm.store %{{.*}}, %[[TO]] : !llvm.ptr, !llvm.ptr
// CHECK-LABEL: llvm.func internal @same.batch.result.0(
// CHECK: %[[MASK:.*]] = llvm.bitcast %{{.*}} : i8 to vector<8xi1>
// CHECK: %[[VALUE:.*]] = "llvm.intr.masked.expandload"(%{{.*}}, %[[MASK]], %{{.*}}) {{.*}} -> vector<8xi32>
// CHECK: %[[TO:.*]] = llvm.load %{{.*}} : !llvm.ptr -> !llvm.ptr
// CHECK: %[[OLD:.*]] = llvm.load %[[TO]] {{.*}} -> vector<8xi32>
// CHECK: %[[NEW:.*]] = llvm.select %[[MASK]], %[[VALUE]], %[[OLD]]
// CHECK: llvm.store %[[NEW]], %[[TO]]
llvm.func @same(%n: i32) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %one x !llvm.array<4 x i32> : (i32) -> !llvm.ptr
  llvm.br ^loop(%zero : i32)
^loop(%i: i32):
  %more = llvm.icmp "ult" %i, %n : i32
  llvm.cond_br %more, ^body, ^end
^body:
  %at = llvm.getelementptr %a[0, %i] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<4 x i32>
  cilk.spawn @same(%i) to %at : !llvm.func<i32 (i32)>, i32
  %next = llvm.add %i, %one : i32
  llvm.br ^loop(%next : i32)
^end:
  cilk.sync
  %result = llvm.load %a : !llvm.ptr -> i32
  llvm.return %result : i32
}

// What is combined with what is there needs lanes.  LLVM has no instruction to
// expand pointers, but one for integers.
// CHECK-LABEL: llvm.func internal @more.batch.result.0(
// CHECK: "llvm.intr.masked.expandload"(%{{.*}}, %[[MASK:.*]], %{{.*}}) {{.*}} -> vector<8xi32>
// CHECK: %[[PLACES:.*]] = "llvm.intr.masked.expandload"(%{{.*}}, %[[MASK]], %{{.*}}) {{.*}} -> vector<8xi64>
// CHECK: llvm.inttoptr %[[PLACES]] : vector<8xi64> to vector<8x!llvm.ptr>
// CHECK: llvm.intr.masked.gather
// CHECK: llvm.xor
// CHECK: llvm.intr.masked.scatter
llvm.func @__cilk_apply.0(%destination: !llvm.ptr, %result: !llvm.ptr) {
  %r = llvm.load %result : !llvm.ptr -> i32
  %old = llvm.load %destination : !llvm.ptr -> i32
  %new = llvm.xor %old, %r : i32
  llvm.store %new, %destination : i32, !llvm.ptr
  llvm.return
}
llvm.func @more(%n: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %four = llvm.mlir.constant(4 : i32) : i32
  %a = llvm.alloca %one x !llvm.array<4 x i32> : (i32) -> !llvm.ptr
  llvm.store %one, %a : i32, !llvm.ptr
  llvm.br ^loop(%n : i32)
^loop(%i: i32):
  %more = llvm.icmp "ult" %i, %four : i32
  llvm.cond_br %more, ^body, ^end
^body:
  %at = llvm.getelementptr %a[0, %i] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<4 x i32>
  cilk.spawn @more(%i) to %at apply @__cilk_apply.0 : !llvm.func<i32 (i32)>, i32
  %next = llvm.add %i, %one : i32
  llvm.br ^loop(%next : i32)
^end:
  cilk.sync
  %result = llvm.load %a : !llvm.ptr -> i32
  llvm.return %result : i32
}
