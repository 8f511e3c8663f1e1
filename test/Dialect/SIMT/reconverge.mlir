//===- reconverge.mlir - Where the threads of a branch meet again ---------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --pass-pipeline='builtin.module(simt.kernel(simt-reconverge))' %s | FileCheck %s

// Each branch at its own end: the inner one at 4, the outer one at 5.
// CHECK-LABEL: @nested
simt.kernel @nested launch "elements" parameters [] {
  %c = simt.constant 1 : <c>
  // CHECK: simt.cond_bra {{.*}} ^bb1, ^bb5 reconverge 5
  simt.cond_bra %c : <c>, ^bb1, ^bb5
^bb1:
  // CHECK: simt.cond_bra {{.*}} ^bb2, ^bb3 reconverge 4
  simt.cond_bra %c : <c>, ^bb2, ^bb3
^bb2:
  simt.bra ^bb4
^bb3:
  simt.bra ^bb4
^bb4:
  simt.bra ^bb5
^bb5:
  simt.exit
}

// Threads that leave a loop wait behind it. A uniform branch needs no point.
// CHECK-LABEL: @loops
simt.kernel @loops launch "elements" parameters [] {
  %c = simt.constant 1 : <c>
  simt.bra ^bb1
^bb1:
  // CHECK: simt.cond_bra {{.*}} ^bb1, ^bb2 reconverge 2
  simt.cond_bra %c : <c>, ^bb1, ^bb2
^bb2:
  // CHECK: simt.cond_bra {{.*}} ^bb1, ^bb3 uniform
  // CHECK-NOT: reconverge
  simt.cond_bra %c : <c>, ^bb1, ^bb3 uniform reconverge 1
^bb3:
  simt.exit
}

// An end to which the program does not come counts for nothing, and no more does
// a loop without an end. With two ends there is no point.
// CHECK-LABEL: @ends
simt.kernel @ends launch "elements" parameters [] {
  %c = simt.constant 1 : <c>
  // CHECK: simt.cond_bra {{.*}} ^bb1, ^bb3 reconverge 3
  simt.cond_bra %c : <c>, ^bb1, ^bb3
^bb1:
  // CHECK: simt.cond_bra {{.*}} ^bb2, ^bb3 reconverge 3
  simt.cond_bra %c : <c>, ^bb2, ^bb3
^bb2:
  simt.exit unreachable
^bb3:
  // CHECK: simt.cond_bra {{.*}} ^bb4, ^bb5 reconverge 5
  simt.cond_bra %c : <c>, ^bb4, ^bb5
^bb4:
  simt.bra ^bb4
^bb5:
  // CHECK: simt.cond_bra {{.*}} ^bb6, ^bb7
  // CHECK-NOT: reconverge
  simt.cond_bra %c : <c>, ^bb6, ^bb7
^bb6:
  simt.exit
^bb7:
  simt.exit
}

// CHECK-LABEL: @yields
simt.kernel @yields launch "elements" parameters [] {
  %c = simt.constant 1 : <c>
  simt.bra ^bb1
^bb1:
  // CHECK: simt.cond_bra {{.*}} ^bb2, ^bb3 reconverge 3
  simt.cond_bra %c : <c>, ^bb2, ^bb3
^bb2:
  simt.yield ^bb1
^bb3:
  simt.exit
}
