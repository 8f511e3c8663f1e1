//===- base-cases-hoisted.mlir - What parents have tested -----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --lower-to-chan=batch-forms --chan-simd="vector-bits=512 lanes=16" --split-input-file %s | FileCheck %s
// RUN: cilk2chan-opt --lower-to-chan="batch-forms hoist=0" --chan-simd="vector-bits=512 lanes=16" --split-input-file %s | FileCheck --check-prefix=OFF %s
// RUN: cilk2chan-opt --lower-to-chan=batch-forms --chan-simd="vector-bits=512 lanes=16" --chan-to-host=vector-bits=512 --split-input-file %s | FileCheck --check-prefix=HOST %s
// OFF-NOT: chan.base_cases_hoisted
// OFF-NOT: hoists_base_cases

// Where all are known to go on, all lanes do; else those that do not are
// counted. Lanes with neither of two conditions are found by two comparisons, each
// under the mask of the other.
// CHECK-LABEL: chan.kernel @both.batch.reduce
// CHECK-SAME: base_cases_hoisted hoists_base_cases
// CHECK: %{{.*}}, %[[ALL:.*]] = chan.deq
// CHECK: %[[HOISTED:.*]] = chan.base_cases_hoisted
// CHECK: %[[ZERO:.*]] = llvm.icmp "eq"
// CHECK: %[[SAME:.*]] = llvm.icmp "eq"
// CHECK: llvm.or %[[ZERO]], %[[SAME]]
// CHECK: llvm.cond_br %[[HOISTED]] weights([2000, 1]), ^[[GO:bb[0-9]+]](%[[ALL]] : vector<16xi1>), ^[[TEST:bb[0-9]+]]
// CHECK: ^[[TEST]]:
// CHECK: %[[NOTZERO:.*]] = llvm.xor %[[ZERO]]
// CHECK: %[[ONE:.*]] = llvm.select %[[ALL]], %[[NOTZERO]]
// CHECK: %[[NOTSAME:.*]] = llvm.xor %[[SAME]]
// CHECK: %[[MORE:.*]] = llvm.select %[[ONE]], %[[NOTSAME]]
// CHECK: %[[OTHERS:.*]] = llvm.xor %[[MORE]]
// CHECK: %[[END:.*]] = llvm.and %[[ALL]], %[[OTHERS]]
// CHECK: chan.reduce_result %{{.*}} mask %[[END]] : i64
// CHECK: llvm.cond_br %{{.*}}, ^[[GO]](%[[MORE]] : vector<16xi1>), ^[[AFTER:bb[0-9]+]]
// CHECK: ^[[GO]](%[[MASK:.*]]: vector<16xi1>):
// CHECK: llvm.select %[[MASK]]
// CHECK: chan.enq %{{.*}} site 0
// CHECK: chan.enq %{{.*}} site 1
// CHECK: ^[[AFTER]]:
// CHECK-NOT: chan.reduce_result
// CHECK: chan.done

// The phase says that it tests before it spawns, and has room for all that a
// group spawns: it never needs more.
// HOST: llvm.func internal @both.batch.reduce(%{{.*}}: !llvm.ptr, %[[BATCH:.*]]: !llvm.ptr,
// HOST: %[[YES:.*]] = llvm.mlir.constant(1 : i32)
// HOST-NEXT: %[[AT:.*]] = llvm.getelementptr inbounds %[[BATCH]][92]
// HOST-NEXT: llvm.store %[[YES]], %[[AT]]
// HOST: %[[ROOM:.*]] = llvm.mlir.constant(32 : i64)
// HOST-NEXT: llvm.intr.umax(%{{.*}}, %[[ROOM]])
// HOST-NOT: chan_batch_flush
// HOST: llvm.getelementptr inbounds %[[BATCH]][88]
// HOST-NOT: chan_batch_flush
// HOST: llvm.return
llvm.func @both(%n: i32, %k: i32) -> i64 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %leaf = llvm.mlir.constant(1 : i64) : i64
  %nothing = llvm.icmp "eq" %k, %zero : i32
  %everything = llvm.icmp "eq" %k, %n : i32
  %ends = llvm.or %nothing, %everything : i1
  llvm.cond_br %ends, ^end(%leaf : i64), ^more
^more:
  %m = llvm.sub %n, %one overflow<nsw> : i32
  %j = llvm.sub %k, %one overflow<nsw> : i32
  %a = cilk.call @both(%m, %j) : !llvm.func<i64 (i32, i32)>, i32, i32 -> i64
  %b = cilk.call @both(%m, %k) : !llvm.func<i64 (i32, i32)>, i32, i32 -> i64
  %r = llvm.add %a, %b : i64
  llvm.br ^end(%r : i64)
^end(%result: i64):
  llvm.return %result : i64
}

// -----

// A phase whose results stand in order has it, too.
// CHECK-LABEL: chan.kernel @keeps.batch.0
// CHECK-SAME: base_cases_hoisted hoists_base_cases
// CHECK: chan.base_cases_hoisted
// CHECK-LABEL: chan.kernel @keeps.batch.1
// CHECK-NOT: chan.base_cases_hoisted
// CHECK: chan.stack entry @keeps.entry
llvm.func @keeps(%k: i32) -> i32 {
  %two = llvm.mlir.constant(2 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %small = llvm.icmp "ult" %k, %two : i32
  llvm.cond_br %small, ^end, ^more
^end:
  llvm.return %k : i32
^more:
  %j = llvm.lshr %k, %one : i32
  %a = cilk.call @keeps(%j) : !llvm.func<i32 (i32)>, i32 -> i32
  %h = llvm.sub %j, %one : i32
  %b = cilk.call @keeps(%h) : !llvm.func<i32 (i32)>, i32 -> i32
  %p = llvm.mul %a, %two : i32
  %r = llvm.xor %p, %b : i32
  llvm.return %r : i32
}

// -----

// In a loop the same branch may end later: it is no test.
// CHECK-LABEL: chan.kernel @loops.batch
// CHECK-NOT: chan.base_cases_hoisted
// CHECK: chan.stack entry @loops.entry
llvm.func @loops(%k: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %sum = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.store %one, %sum : i32, !llvm.ptr
  llvm.br ^head(%k : i32)
^head(%left: i32):
  %more = llvm.icmp "ne" %left, %zero : i32
  llvm.cond_br %more, ^body, ^end
^body:
  %next = llvm.lshr %left, %one : i32
  cilk.spawn @loops(%next) to %sum apply @add : !llvm.func<i32 (i32)>, i32
  llvm.br ^head(%next : i32)
^end:
  cilk.sync
  %r = llvm.load %sum : !llvm.ptr -> i32
  llvm.return %r : i32
}
llvm.func @add(%to: !llvm.ptr, %from: !llvm.ptr) {
  %a = llvm.load %to : !llvm.ptr -> i32
  %b = llvm.load %from : !llvm.ptr -> i32
  %c = llvm.add %a, %b : i32
  llvm.store %c, %to : i32, !llvm.ptr
  llvm.return
}

// -----

// Some activations come to the branch by way of what parents do not do for
// them: it is no test, as these may end there.
// CHECK-LABEL: chan.kernel @looks.batch
// CHECK-NOT: chan.base_cases_hoisted
// CHECK: chan.stack entry @looks.entry
llvm.func @looks(%k: i32, %table: !llvm.ptr) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %bit = llvm.trunc %k : i32 to i1
  llvm.cond_br %bit, ^look, ^test(%one : i32)
^look:
  %found = llvm.load %table : !llvm.ptr -> i32
  llvm.br ^test(%found : i32)
^test(%own: i32):
  %end = llvm.icmp "eq" %k, %zero : i32
  llvm.cond_br %end, ^end(%own : i32), ^more
^more:
  %j = llvm.lshr %k, %one : i32
  %a = cilk.call @looks(%j, %table) : !llvm.func<i32 (i32, ptr)>, i32, !llvm.ptr -> i32
  %b = cilk.call @looks(%j, %table) : !llvm.func<i32 (i32, ptr)>, i32, !llvm.ptr -> i32
  %r = llvm.add %a, %b : i32
  llvm.br ^end(%r : i32)
^end(%result: i32):
  llvm.return %result : i32
}
