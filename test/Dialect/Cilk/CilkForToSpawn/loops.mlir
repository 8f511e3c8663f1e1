//===- loops.mlir - Ranges are divided among spawns -----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --cilk-for-to-spawn %s | FileCheck %s

llvm.func @f(i64)

// CHECK-LABEL: llvm.func @loop(
// CHECK-SAME: %[[N:.*]]: i64, %[[P:.*]]: !llvm.ptr)
llvm.func @loop(%n: i64, %p: !llvm.ptr) {
  // CHECK: %[[ZERO:.*]] = llvm.mlir.constant(0 : i64)
  // CHECK: %[[ANY:.*]] = llvm.mlir.constant(0 : i64)
  // CHECK: %[[GRAIN:.*]] = llvm.call @chan_grain(%[[N]], %[[ANY]])
  // CHECK: cilk.call @__cilk_range.7(%[[ZERO]], %[[N]], %[[GRAIN]], %[[P]])
  // CHECK-NOT: cilk.for
  cilk.for @__cilk_body.7(%p) times %n : !llvm.ptr
  llvm.return
}
llvm.func @__cilk_body.7(i64, i64, !llvm.ptr)

// The range runs whole, or in up to 16 parts of whole grains.
// CHECK-LABEL: llvm.func private @__cilk_range.7(
// CHECK-SAME: %[[B:.*]]: i64, %[[E:.*]]: i64, %[[G:.*]]: i64, %[[P:.*]]: !llvm.ptr)
// CHECK-SAME: chan.source = @loop
// CHECK: %[[SIZE:.*]] = llvm.sub %[[E]], %[[B]]
// CHECK: %[[FITS:.*]] = llvm.icmp "ule" %[[SIZE]], %[[G]]
// CHECK: llvm.cond_br %[[FITS]], ^[[WHOLE:.*]], ^[[DIVIDE:.*]]
// CHECK: ^[[WHOLE]]:
// CHECK-NEXT: llvm.call @__cilk_body.7(%[[B]], %[[E]], %[[P]])
// CHECK-NEXT: cilk.sync
// CHECK-NEXT: llvm.return
// CHECK: ^[[DIVIDE]]:
// CHECK: llvm.udiv %{{.*}}, %[[G]]
// CHECK: llvm.mlir.constant(16 : i64)
// CHECK: %[[PART:.*]] = llvm.mul %{{.*}}, %[[G]]
// CHECK: ^[[NEXT:.*]](%[[FROM:.*]]: i64):
// CHECK: %[[LAST:.*]] = llvm.icmp "ule"
// CHECK: %[[TO:.*]] = llvm.select %[[LAST]], %[[E]]
// CHECK: cilk.spawn @__cilk_range.7(%[[FROM]], %[[TO]], %[[G]], %[[P]])
// CHECK: llvm.cond_br %[[LAST]], ^[[DONE:.*]], ^[[NEXT]](%[[TO]] : i64)
// CHECK: ^[[DONE]]:
// CHECK-NEXT: cilk.sync

// A grain is handed on.
// CHECK-LABEL: llvm.func @grain(
// CHECK-SAME: %[[N:.*]]: i64, %[[G:.*]]: i64)
llvm.func @grain(%n: i64, %g: i64) {
  // CHECK: llvm.call @chan_grain(%[[N]], %[[G]])
  cilk.for @__cilk_body.8() times %n grain %g
  llvm.return
}
llvm.func @__cilk_body.8(i64, i64)

// A body that is split is spawned, one iteration at a time.
// CHECK-LABEL: llvm.func @spawning(
llvm.func @spawning(%n: i64) {
  // CHECK-NOT: chan_grain
  // CHECK: %[[ONE:.*]] = llvm.mlir.constant(1 : i64)
  // CHECK: cilk.call @__cilk_range.9(%{{.*}}, %{{.*}}, %[[ONE]])
  cilk.for @__cilk_body.9() times %n
  llvm.return
}
// CHECK-LABEL: llvm.func private @__cilk_range.9(
// CHECK: cilk.spawn @__cilk_body.9(
// CHECK-NEXT: cilk.sync
llvm.func @__cilk_body.9(%b: i64, %e: i64) {
  cilk.spawn @f(%b) : !llvm.func<void (i64)>, i64
  llvm.return
}

// A loop of no more iterations than are worth another worker is a call.
// CHECK-LABEL: llvm.func @light(
// CHECK-SAME: %[[N:.*]]: i64, %[[P:.*]]: !llvm.ptr)
// CHECK: %[[LEAST:.*]] = llvm.mlir.constant(500 : i64)
// CHECK: %[[SHORT:.*]] = llvm.icmp "ule" %[[N]], %[[LEAST]]
// CHECK: llvm.cond_br %[[SHORT]], ^[[WHOLE:.*]], ^[[DIVIDE:.*]]
// CHECK: ^[[DIVIDE]]:
// CHECK: %[[CHOSEN:.*]] = llvm.call @chan_grain(%[[N]], %{{.*}})
// CHECK: %[[LEAST:.*]] = llvm.mlir.constant(500 : i64)
// CHECK: %[[GRAIN:.*]] = llvm.intr.umax(%[[CHOSEN]], %[[LEAST]])
// CHECK: cilk.call @__cilk_range.10(%{{.*}}, %[[N]], %[[GRAIN]], %[[P]])
// CHECK: llvm.br ^[[AFTER:.*]]
// CHECK: ^[[WHOLE]]:
// CHECK: %[[ZERO:.*]] = llvm.mlir.constant(0 : i64)
// CHECK: llvm.call @__cilk_body.10(%[[ZERO]], %[[N]], %[[P]])
// CHECK: llvm.br ^[[AFTER]]
// CHECK: ^[[AFTER]]:
// CHECK: llvm.return
llvm.func @light(%n: i64, %p: !llvm.ptr) {
  cilk.for @__cilk_body.10(%p) times %n least 500 : !llvm.ptr
  llvm.return
}
llvm.func @__cilk_body.10(i64, i64, !llvm.ptr)

// So is one of no more than the grain, if that is known, of which none is
// positive that leaves the choice to the runtime.
// CHECK-LABEL: llvm.func @given(
// CHECK-SAME: %[[N:.*]]: i64, %[[G:.*]]: i64)
// CHECK: llvm.mlir.constant(-64 : i64)
// CHECK: %[[MOST:.*]] = llvm.mlir.constant(64 : i64)
// CHECK: llvm.icmp "ule" %[[N]], %[[MOST]]
// CHECK: llvm.call @chan_grain(%[[N]],
// CHECK-NOT: umax
// CHECK: cilk.call @__cilk_range.11(
// CHECK: llvm.call @__cilk_body.11(
// CHECK-NOT: llvm.icmp
// CHECK: cilk.call @__cilk_range.12(
// CHECK-NOT: llvm.icmp
// CHECK: cilk.call @__cilk_range.13(
llvm.func @given(%n: i64, %g: i64) {
  %some = llvm.mlir.constant(64 : i64) : i64
  %none = llvm.mlir.constant(-64 : i64) : i64
  cilk.for @__cilk_body.11() times %n grain %some
  cilk.for @__cilk_body.12() times %n grain %none
  cilk.for @__cilk_body.13() times %n grain %g
  llvm.return
}
llvm.func @__cilk_body.11(i64, i64)
llvm.func @__cilk_body.12(i64, i64)
llvm.func @__cilk_body.13(i64, i64)

// Of a copy, which may go, the range is the source's.
// CHECK-LABEL: llvm.func @copy(
// CHECK: llvm.func private @__cilk_range.copied(
// CHECK-SAME: chan.source = @loop
llvm.func @copy(%n: i64) attributes {chan.source = @loop} {
  cilk.for @__cilk_body.copied(%n) times %n : i64
  llvm.return
}
llvm.func @__cilk_body.copied(i64, i64, i64)
