//===- ranges.mlir - A loop that spawns nothing becomes one range ---------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --cilk-for-to-spawn=ranges %s | FileCheck %s
// RUN: cilk2chan-opt --cilk-for-to-spawn=ranges --chan-entry-stacks \
// RUN:   --cilk-to-chan %s | FileCheck %s --check-prefix=CHAN
// RUN: cilk2chan-opt --cilk-for-to-spawn=ranges --chan-entry-stacks \
// RUN:   --cilk-to-chan %s | not cilk2chan-opt --chan-to-host 2>&1 \
// RUN:   | FileCheck %s --check-prefix=HOST

// HOST: holds ranges, which the host does not launch

// CHECK-LABEL: llvm.func @loop(
// CHECK-SAME: %[[N:.*]]: i64, %[[P:.*]]: !llvm.ptr)
llvm.func @loop(%n: i64, %p: !llvm.ptr) {
  %c = llvm.mlir.constant(5 : i32) : i32
  // CHECK: %[[ZERO:.*]] = llvm.mlir.constant(0 : i64)
  // CHECK-NOT: chan_grain
  // CHECK: cilk.call @__cilk_range.7(%[[ZERO]], %[[N]], %{{.*}}, %[[P]])
  cilk.for @__cilk_body.7(%c, %p) times %n grain %n : i32, !llvm.ptr
  llvm.return
}
llvm.func @__cilk_body.7(i64, i64, i32, !llvm.ptr)

// One iteration each, and the constant is known.
// CHECK-LABEL: llvm.func private @__cilk_range.7(
// CHECK-SAME: %[[I:.*]]: i64, %{{.*}}: i64, %{{.*}}: i32, %[[Q:.*]]: !llvm.ptr)
// CHECK-SAME: chan.range
// CHECK: %[[ONE:.*]] = llvm.mlir.constant(1 : i64)
// CHECK: %[[BEHIND:.*]] = llvm.add %[[I]], %[[ONE]] overflow<nsw, nuw>
// CHECK: %[[C:.*]] = llvm.mlir.constant(5 : i32)
// CHECK: llvm.call @__cilk_body.7(%[[I]], %[[BEHIND]], %[[C]], %[[Q]])
// CHECK-NEXT: llvm.return

// CHAN: chan.kernel @__cilk_range.7.0 consumes @__cilk_range.7.entry frame 0
// CHAN: %[[E:.*]] = chan.deq
// CHAN-NEXT: %[[I:.*]] = chan.range_iteration %[[E]]
// CHAN: llvm.call @__cilk_body.7(%[[I]],
// CHAN: chan.stack entry @__cilk_range.7.entry ranges(a0: i64, a1: i64,

// A body that spawns is divided: its iterations are elements.
// CHECK-LABEL: llvm.func @spawning(
llvm.func @spawning(%n: i64) {
  // CHECK: cilk.call @__cilk_range.8(%{{.*}}, %{{.*}}, %{{.*}}) :
  cilk.for @__cilk_body.8() times %n
  llvm.return
}
llvm.func @__cilk_body.8(%b: i64, %e: i64) {
  cilk.sync
  llvm.return
}
// CHECK: cilk.spawn @__cilk_range.8
