//===- count-lanes.mlir - What all lanes add alike ------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --lower-to-chan=batch-forms --chan-simd="vector-bits=512 lanes=16" --chan-to-host=vector-bits=512 --split-input-file %s | FileCheck %s

// What lanes add is counted where it is the same: no vector changes.
// CHECK-LABEL: llvm.func internal @count.batch.reduce(
// CHECK: %[[BITS:.*]] = llvm.bitcast %{{.*}} : vector<16xi1> to i16
// CHECK-NEXT: %[[NUMBER:.*]] = llvm.intr.ctpop(%[[BITS]])
// CHECK-NEXT: %[[SMALL:.*]] = llvm.zext %[[NUMBER]] : i16 to i32
// CHECK-NEXT: %[[TIMES:.*]] = llvm.zext %[[SMALL]] : i32 to i64
// CHECK-NEXT: %[[BEFORE:.*]] = llvm.load %[[COUNTED:.*]] :
// CHECK-NEXT: %[[MORE:.*]] = llvm.mul %{{.*}}, %[[TIMES]] : i64
// CHECK-NEXT: %[[SUM:.*]] = llvm.add %[[BEFORE]], %[[MORE]] : i64
// CHECK-NEXT: llvm.store %[[SUM]], %[[COUNTED]]
// CHECK: llvm.intr.vector.reduce.add
// CHECK-NEXT: %[[ALL:.*]] = llvm.load %[[COUNTED]]
// CHECK-NEXT: llvm.add %{{.*}}, %[[ALL]]
llvm.func @count(%n: i32, %key: i32) -> i64 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %leaf = llvm.mlir.constant(7 : i64) : i64
  %end = llvm.icmp "eq" %key, %zero : i32
  llvm.cond_br %end, ^end, ^more
^end:
  llvm.return %leaf : i64
^more:
  %m = llvm.lshr %key, %one : i32
  %a = cilk.call @count(%n, %m) : !llvm.func<i64 (i32, i32)>, i32, i32 -> i64
  %b = cilk.call @count(%n, %m) : !llvm.func<i64 (i32, i32)>, i32, i32 -> i64
  %r = llvm.add %a, %b : i64
  llvm.return %r : i64
}

// -----

// Another combination than a sum is not.
// CHECK-LABEL: llvm.func internal @bits.batch.reduce(
// CHECK-NOT: llvm.intr.vector.reduce
// CHECK: llvm.insertelement
// CHECK: llvm.or %{{.*}} : vector<16xi32>
// CHECK: llvm.intr.vector.reduce.or
llvm.func @bits(%n: i32, %key: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %end = llvm.icmp "eq" %key, %zero : i32
  llvm.cond_br %end, ^end, ^more
^end:
  llvm.return %n : i32
^more:
  %m = llvm.lshr %key, %one : i32
  %a = cilk.call @bits(%n, %m) : !llvm.func<i32 (i32, i32)>, i32, i32 -> i32
  %b = cilk.call @bits(%n, %m) : !llvm.func<i32 (i32, i32)>, i32, i32 -> i32
  %r = llvm.or %a, %b : i32
  llvm.return %r : i32
}

// -----

// A sum that is one register is as good.
// CHECK-LABEL: llvm.func internal @small.batch.reduce(
// CHECK-NOT: llvm.mul
// CHECK: llvm.intr.vector.reduce.add
llvm.func @small(%n: i32, %key: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %end = llvm.icmp "eq" %key, %zero : i32
  llvm.cond_br %end, ^end, ^more
^end:
  llvm.return %n : i32
^more:
  %m = llvm.lshr %key, %one : i32
  %a = cilk.call @small(%n, %m) : !llvm.func<i32 (i32, i32)>, i32, i32 -> i32
  %b = cilk.call @small(%n, %m) : !llvm.func<i32 (i32, i32)>, i32, i32 -> i32
  %r = llvm.add %a, %b : i32
  llvm.return %r : i32
}
