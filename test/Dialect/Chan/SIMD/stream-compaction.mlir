//===- stream-compaction.mlir - Iterations of many activations ------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --lower-to-chan=batch-forms --chan-simd="vector-bits=512" --split-input-file %s | FileCheck %s
// RUN: cilk2chan-opt --lower-to-chan=batch-forms --chan-simd="vector-bits=512 narrow=0" --split-input-file --remark-policy=all --remarks-filter=chan-simd %s 2>&1 >/dev/null | FileCheck --check-prefix=REMARK %s
// RUN: cilk2chan-opt --lower-to-chan=batch-forms --chan-simd="vector-bits=512 compact=0" --split-input-file %s | FileCheck --check-prefix=OFF %s
// RUN: cilk2chan-opt --lower-to-chan=batch-forms --chan-simd="vector-bits=128" --split-input-file %s | FileCheck --check-prefix=SHORT %s
// RUN: cilk2chan-opt --lower-to-chan=batch-forms --chan-simd="vector-bits=256" --split-input-file %s | FileCheck --check-prefix=ASKED %s
// RUN: cilk2chan-opt --lower-to-chan=batch-forms --chan-simd="vector-bits=128 lanes=8" --split-input-file %s | FileCheck --check-prefix=ASKED %s
// RUN: cilk2chan-opt --lower-to-chan=batch-forms --chan-simd="vector-bits=512 lanes=16" --split-input-file --remark-policy=all --remarks-filter=chan-simd %s 2>&1 >/dev/null | FileCheck --check-prefix=WIDE %s
// OFF-NOT: compacted
// OFF-NOT: chan.iteration
// ASKED: lanes 8 compacted
// ASKED-NOT: lane_refill
// SHORT: lanes 4 compacted
// SHORT-NOT: lane_refill

// Which iteration it is, all have the same of that have done as many; `end` and
// `name` they have each, and the depth is that of the batch.
// CHECK-LABEL: chan.kernel @tree.batch.reduce consumes @tree.entry produces [@tree.entry + 1] frame 0 phase 0 lanes 16 compacted [@tree.batch.reduce.enter, @tree.batch.reduce.iterate]
// CHECK-NOT: lane_refill
// CHECK: chan.iteration mask
// CHECK: chan.enq

// CHECK: chan.kernel @tree.batch.reduce.iterate consumes @tree.entry produces [@tree.entry + 1] frame 0 phase 0 lanes 16
// CHECK: %{{.*}}, %[[MASK:.*]] = chan.deq
// CHECK: %[[R:.*]]:3 = chan.iteration_deq : vector<16xi32>, vector<16xi32>, i32
// CHECK-NEXT: chan.get "a1" of %{{.*}} -> i32
// CHECK-NOT: ^bb
// CHECK: chan.enq
// CHECK: %[[NEXT:.*]] = llvm.add %[[R]]#2
// CHECK: %[[MORE:.*]] = llvm.icmp "slt" %{{.*}}, %[[R]]#1
// CHECK: %[[GO:.*]] = llvm.select %[[MASK]], %[[MORE]]
// CHECK: chan.iteration_enq %[[R]]#0, %[[R]]#1, %[[NEXT]] : vector<16xi32>, vector<16xi32>, i32 mask %[[GO]]
// CHECK: chan.reduce_result

// CHECK: chan.kernel @tree.batch.reduce.enter consumes @tree.entry frame 0 phase 0 lanes 16
// CHECK-NOT: chan.talloc
// CHECK: chan.iteration_enq %{{.*}} : vector<16xi32>, vector<16xi32>, i32 mask
// CHECK: chan.reduce_result
// REMARK: remark: {{.*}}iterations of 'tree.batch.reduce' are compacted where lanes leave its loop one after another
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

// -----

// The test comes last, so the first iteration is for all. What an iteration
// leaves for after the loop is not passed on to the next one. Nothing is the same
// of those only that have done as many iterations, so lanes take the next elements.
// CHECK-LABEL: chan.kernel @last.batch.reduce consumes
// CHECK-SAME: compacted [@last.batch.reduce.enter, @last.batch.reduce.iterate] lane_refill
// CHECK-LABEL: chan.kernel @last.batch.reduce.iterate
// CHECK: %[[LEFT:.*]] = chan.iteration_deq : vector<16xi32>
// CHECK: %[[OWN:.*]] = llvm.mul %[[LEFT]]
// CHECK: %[[NEXT:.*]] = llvm.lshr %[[LEFT]]
// CHECK: chan.iteration_enq %[[NEXT]] : vector<16xi32> mask
// CHECK: chan.reduce_result %[[OWN]] mask
// CHECK-LABEL: chan.kernel @last.batch.reduce.enter
// CHECK: %{{.*}}, %[[ALL:.*]] = chan.deq
// CHECK: chan.iteration_enq %{{.*}} : vector<16xi32> mask %[[ALL]]
// REMARK: iterations of 'last.batch.reduce' are compacted where lanes leave its loop one after another, and these take the next elements
llvm.func @last(%name: i32) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %sum = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.store %zero, %sum : i32, !llvm.ptr
  llvm.br ^body(%name : i32)
^body(%left: i32):
  %own = llvm.mul %left, %left : i32
  cilk.spawn @last(%own) to %sum apply @add : !llvm.func<i32 (i32)>, i32
  %next = llvm.lshr %left, %one : i32
  %more = llvm.icmp "ne" %next, %zero : i32
  llvm.cond_br %more, ^body(%next : i32), ^after
^after:
  cilk.sync
  %others = llvm.load %sum : !llvm.ptr -> i32
  %result = llvm.add %others, %own : i32
  llvm.return %result : i32
}
llvm.func @add(%to: !llvm.ptr, %from: !llvm.ptr) {
  %a = llvm.load %to : !llvm.ptr -> i32
  %b = llvm.load %from : !llvm.ptr -> i32
  %c = llvm.add %a, %b : i32
  llvm.store %c, %to : i32, !llvm.ptr
  llvm.return
}

// -----

// What some activations of a batch have the same of, and others nothing, a
// group may have nothing of.
// CHECK-LABEL: chan.kernel @some.batch.reduce.iterate
// CHECK: chan.iteration_deq : vector<16xi32>, vector<16xi32>
// CHECK-LABEL: chan.kernel @some.batch.reduce.enter
// CHECK: chan.iteration_enq %{{.*}} : vector<16xi32>, vector<16xi32> mask
llvm.func @some(%name: i32, %depth: i32) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %none = llvm.mlir.poison : i32
  %sum = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.store %zero, %sum : i32, !llvm.ptr
  %bit = llvm.and %name, %one : i32
  %has = llvm.icmp "ne" %bit, %zero : i32
  llvm.cond_br %has, ^have, ^head(%name, %none : i32, i32)
^have:
  %square = llvm.mul %depth, %depth : i32
  llvm.br ^head(%name, %square : i32, i32)
^head(%left: i32, %key: i32):
  %more = llvm.icmp "ne" %left, %zero : i32
  llvm.cond_br %more, ^body, ^after
^body:
  %child = llvm.xor %left, %key : i32
  %deeper = llvm.sub %depth, %one : i32
  cilk.spawn @some(%child, %deeper) to %sum apply @add : !llvm.func<i32 (i32, i32)>, i32, i32
  %next = llvm.lshr %left, %one : i32
  llvm.br ^head(%next, %key : i32, i32)
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

// -----

// OFF: @together.batch.reduce
// CHECK-LABEL: chan.kernel @together.batch.reduce
// CHECK-NOT: chan.iteration
// CHECK-NOT: chan.iteration_enq
// REMARK: lanes of 'together.batch.reduce' wait for each other: all leave its loop together
llvm.func @together(%name: i32, %depth: i32) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %sum = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.store %name, %sum : i32, !llvm.ptr
  llvm.br ^head(%depth : i32)
^head(%left: i32):
  %more = llvm.icmp "ne" %left, %zero : i32
  llvm.cond_br %more, ^body, ^after
^body:
  %child = llvm.xor %left, %name : i32
  %deeper = llvm.sub %depth, %one : i32
  cilk.spawn @together(%child, %deeper) to %sum apply @add : !llvm.func<i32 (i32, i32)>, i32, i32
  %next = llvm.lshr %left, %one : i32
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

// -----

// CHECK-LABEL: chan.kernel @no_loop.batch.reduce
// REMARK-NOT: lanes of 'no_loop
llvm.func @no_loop(%name: i32) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %end = llvm.icmp "eq" %name, %zero : i32
  llvm.cond_br %end, ^end, ^more
^end:
  llvm.return %one : i32
^more:
  %child = llvm.lshr %name, %one : i32
  %a = cilk.call @no_loop(%child) : !llvm.func<i32 (i32)>, i32 -> i32
  %b = cilk.call @no_loop(%child) : !llvm.func<i32 (i32)>, i32 -> i32
  %r = llvm.add %a, %b : i32
  llvm.return %r : i32
}

// -----

// WIDE: lanes of 'nested.batch.reduce' wait for each other: a loop in its loop spawns
llvm.func @nested(%name: i32) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %sum = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.store %zero, %sum : i32, !llvm.ptr
  llvm.br ^outer(%name : i32)
^outer(%left: i32):
  %more = llvm.icmp "ne" %left, %zero : i32
  llvm.cond_br %more, ^inner(%left : i32), ^after
^inner(%other: i32):
  cilk.spawn @nested(%other) to %sum apply @add : !llvm.func<i32 (i32)>, i32
  %next = llvm.lshr %other, %one : i32
  %again = llvm.icmp "ne" %next, %zero : i32
  llvm.cond_br %again, ^inner(%next : i32), ^behind
^behind:
  %less = llvm.lshr %left, %one : i32
  llvm.br ^outer(%less : i32)
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

// -----

// WIDE: lanes of 'memory.batch.reduce' wait for each other: it has objects in memory
llvm.func @memory(%name: i32) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %four = llvm.mlir.constant(4 : i32) : i32
  %sum = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %numbers = llvm.alloca %four x i32 : (i32) -> !llvm.ptr
  llvm.store %zero, %sum : i32, !llvm.ptr
  llvm.br ^head(%name : i32)
^head(%left: i32):
  %more = llvm.icmp "ne" %left, %zero : i32
  llvm.cond_br %more, ^body, ^after
^body:
  %place = llvm.getelementptr %numbers[%left] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %number = llvm.load %place : !llvm.ptr -> i32
  llvm.store %left, %place : i32, !llvm.ptr
  %a = llvm.mul %number, %number : i32
  %b = llvm.xor %a, %number : i32
  %c = llvm.mul %b, %a : i32
  %d = llvm.xor %c, %left : i32
  %e = llvm.mul %d, %b : i32
  %f = llvm.xor %e, %c : i32
  %g = llvm.mul %f, %d : i32
  %name2 = llvm.xor %g, %e : i32
  cilk.spawn @memory(%name2) to %sum apply @add : !llvm.func<i32 (i32)>, i32
  %next = llvm.lshr %left, %one : i32
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

// -----

// REMARK: lanes of 'much.batch.reduce' wait for each other: {{[0-9]+}} of about {{[0-9]+}} cycles of an iteration would be for passing it on
llvm.func @much(%a: i64, %b: i64, %p: !llvm.ptr) -> i32 {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %none = llvm.mlir.constant(0 : i32) : i32
  %sum = llvm.alloca %one x i32 : (i64) -> !llvm.ptr
  llvm.store %none, %sum : i32, !llvm.ptr
  llvm.br ^head(%zero, %a, %b, %b, %b, %b, %b, %b, %b, %b, %b, %b, %b, %b, %b, %b : i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64)
^head(%trip: i64, %w: i64, %x0: i64, %x1: i64, %x2: i64, %x3: i64, %x4: i64, %x5: i64, %x6: i64, %x7: i64, %x8: i64, %x9: i64, %x10: i64, %x11: i64, %x12: i64, %x13: i64):
  %more = llvm.icmp "ne" %w, %zero : i64
  llvm.cond_br %more, ^body, ^after
^body:
  %next = llvm.lshr %w, %one : i64
  %y = llvm.mul %x0, %x1 : i64
  %z = llvm.mul %y, %x2 : i64
  %mask = llvm.load %p : !llvm.ptr -> i64
  %this = llvm.xor %z, %mask : i64
  %name = llvm.xor %this, %trip : i64
  %trips = llvm.add %trip, %one : i64
  %rest = llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %other = llvm.load %rest : !llvm.ptr -> !llvm.ptr
  cilk.spawn @much(%x0, %name, %other) to %sum apply @add : !llvm.func<i32 (i64, i64, ptr)>, i64, i64, !llvm.ptr
  llvm.br ^head(%trips, %next, %x1, %x2, %x3, %x4, %x5, %x6, %x7, %x8, %x9, %x10, %x11, %x12, %x13, %w : i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64)
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
