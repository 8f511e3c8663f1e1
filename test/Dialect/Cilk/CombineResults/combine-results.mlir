//===- combine-results.mlir - Results are combined as they come -----------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --cilk-combine-results %s | FileCheck %s
// RUN: cilk2chan-opt --cilk-combine-results --lower-to-chan=batch-forms %s | FileCheck --check-prefix=TREE %s

llvm.func @child(i32) -> i32

// The array goes, and so does the loop at the end. What it begins with, and what
// a result is combined by, stay.
//
// CHECK-LABEL: llvm.func internal @sums.combine(
// CHECK-SAME: %[[ALL:[a-z0-9]*]]: !llvm.ptr, %[[RESULT:[a-z0-9]*]]: !llvm.ptr)
// CHECK: %[[BEFORE:.*]] = llvm.load %[[ALL]]
// CHECK: %[[NEW:.*]] = llvm.load %[[RESULT]]
// CHECK: %[[BOTH:.*]] = llvm.add %[[BEFORE]], %[[NEW]] : i32
// CHECK: llvm.store %[[BOTH]], %[[ALL]]
// CHECK-LABEL: llvm.func @sums(
// CHECK: %[[ALL:.*]] = llvm.alloca %{{.*}} x i32
// CHECK: llvm.store %{{.*}}, %[[ALL]] : i32
// CHECK-NOT: llvm.alloca
// CHECK-NOT: memset
// CHECK: cilk.spawn @child(%{{.*}}) to %[[ALL]] apply @sums.combine
// CHECK: cilk.sync
// CHECK: %[[LOADED:.*]] = llvm.load %[[ALL]] : !llvm.ptr -> i32
// CHECK: %[[SUM:.*]] = llvm.add %{{.*}}, %[[LOADED]] : i32
// CHECK: llvm.br ^[[END:bb[0-9]*]](%[[SUM]] : i32)
// CHECK: ^[[END]](%[[RETURNED:.*]]: i32):
// CHECK: llvm.return %[[RETURNED]]
llvm.func @sums(%n: i32, %given: !llvm.ptr) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %nothing = llvm.mlir.constant(0 : i8) : i8
  %one = llvm.mlir.constant(1 : i32) : i32
  %four = llvm.mlir.constant(4 : i64) : i64
  %long = llvm.sext %n : i32 to i64
  %bytes = llvm.mul %long, %four : i64
  %results = llvm.alloca %bytes x i8 : (i64) -> !llvm.ptr
  "llvm.intr.memset"(%results, %nothing, %bytes) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  llvm.br ^first(%zero : i32)
^first(%i: i32):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^spawn, ^after
^spawn:
  %at = llvm.sext %i : i32 to i64
  %place = llvm.getelementptr %results[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  cilk.spawn @child(%i) to %place : !llvm.func<i32 (i32)>, i32
  %next = llvm.add %i, %one : i32
  llvm.br ^first(%next : i32)
^after:
  cilk.sync
  llvm.br ^last(%zero, %one : i32, i32)
^last(%j: i32, %sum: i32):
  %again = llvm.icmp "slt" %j, %n : i32
  llvm.cond_br %again, ^add, ^end(%sum : i32)
^add:
  %from = llvm.sext %j : i32 to i64
  %element = llvm.getelementptr %results[%from] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  %value = llvm.load %element : !llvm.ptr -> i32
  %new = llvm.add %sum, %value overflow<nsw> : i32
  %step = llvm.add %j, %one : i32
  llvm.br ^last(%step, %new : i32, i32)
^end(%all: i32):
  llvm.return %all : i32
}

// What has not been set is of no use to anybody.
// CHECK-LABEL: llvm.func internal @ors.combine(
// CHECK: llvm.or
// CHECK-LABEL: llvm.func @ors(
// CHECK: apply @ors.combine
llvm.func @ors(%n: i32, %given: !llvm.ptr) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %nothing = llvm.mlir.constant(0 : i8) : i8
  %one = llvm.mlir.constant(1 : i32) : i32
  %four = llvm.mlir.constant(4 : i64) : i64
  %long = llvm.sext %n : i32 to i64
  %bytes = llvm.mul %long, %four : i64
  %results = llvm.alloca %bytes x i8 : (i64) -> !llvm.ptr
  llvm.br ^first(%zero : i32)
^first(%i: i32):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^spawn, ^after
^spawn:
  %at = llvm.sext %i : i32 to i64
  %place = llvm.getelementptr %results[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  cilk.spawn @child(%i) to %place : !llvm.func<i32 (i32)>, i32
  %next = llvm.add %i, %one : i32
  llvm.br ^first(%next : i32)
^after:
  cilk.sync
  llvm.br ^last(%zero, %one : i32, i32)
^last(%j: i32, %sum: i32):
  %again = llvm.icmp "slt" %j, %n : i32
  llvm.cond_br %again, ^add, ^end(%sum : i32)
^add:
  %from = llvm.sext %j : i32 to i64
  %element = llvm.getelementptr %results[%from] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  %value = llvm.load %element : !llvm.ptr -> i32
  %new = llvm.or %value, %sum : i32
  %step = llvm.add %j, %one : i32
  llvm.br ^last(%step, %new : i32, i32)
^end(%all: i32):
  llvm.return %all : i32
}

// Each element is cleared in front of its spawn.
// CHECK-LABEL: llvm.func @cleared(
// CHECK: apply @cleared.combine
llvm.func @cleared(%n: i32, %given: !llvm.ptr) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %nothing = llvm.mlir.constant(0 : i8) : i8
  %one = llvm.mlir.constant(1 : i32) : i32
  %four = llvm.mlir.constant(4 : i64) : i64
  %long = llvm.sext %n : i32 to i64
  %bytes = llvm.mul %long, %four : i64
  %results = llvm.alloca %bytes x i8 : (i64) -> !llvm.ptr
  llvm.br ^first(%zero : i32)
^first(%i: i32):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^spawn, ^after
^spawn:
  %at = llvm.sext %i : i32 to i64
  %place = llvm.getelementptr %results[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  llvm.store %zero, %place : i32, !llvm.ptr
  cilk.spawn @child(%i) to %place : !llvm.func<i32 (i32)>, i32
  %next = llvm.add %i, %one : i32
  llvm.br ^first(%next : i32)
^after:
  cilk.sync
  llvm.br ^last(%zero, %one : i32, i32)
^last(%j: i32, %sum: i32):
  %again = llvm.icmp "slt" %j, %n : i32
  llvm.cond_br %again, ^add, ^end(%sum : i32)
^add:
  %from = llvm.sext %j : i32 to i64
  %element = llvm.getelementptr %results[%from] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  %value = llvm.load %element : !llvm.ptr -> i32
  %new = llvm.add %sum, %value overflow<nsw> : i32
  %step = llvm.add %j, %one : i32
  llvm.br ^last(%step, %new : i32, i32)
^end(%all: i32):
  llvm.return %all : i32
}

// All elements are cleared, and then each has a result.
// CHECK-LABEL: llvm.func internal @changed.combine(
// CHECK: %[[NEW:.*]] = llvm.load %arg1
// CHECK: %[[CHANGED:.*]] = llvm.add %[[NEW]]
// CHECK: llvm.add %{{.*}}, %[[CHANGED]]
// CHECK-LABEL: llvm.func @changed(
// CHECK-NOT: memset
// CHECK: apply @changed.combine
llvm.func @changed(%n: i32, %given: !llvm.ptr) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %nothing = llvm.mlir.constant(0 : i8) : i8
  %one = llvm.mlir.constant(1 : i32) : i32
  %four = llvm.mlir.constant(4 : i64) : i64
  %long = llvm.sext %n : i32 to i64
  %bytes = llvm.mul %long, %four : i64
  %results = llvm.alloca %bytes x i8 : (i64) -> !llvm.ptr
  "llvm.intr.memset"(%results, %nothing, %bytes) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  llvm.br ^first(%zero : i32)
^first(%i: i32):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^spawn, ^after
^spawn:
  %at = llvm.sext %i : i32 to i64
  %place = llvm.getelementptr %results[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  cilk.spawn @child(%i) to %place : !llvm.func<i32 (i32)>, i32
  %next = llvm.add %i, %one : i32
  llvm.br ^first(%next : i32)
^after:
  cilk.sync
  llvm.br ^last(%zero, %one : i32, i32)
^last(%j: i32, %sum: i32):
  %again = llvm.icmp "slt" %j, %n : i32
  llvm.cond_br %again, ^add, ^end(%sum : i32)
^add:
  %from = llvm.sext %j : i32 to i64
  %element = llvm.getelementptr %results[%from] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  %loaded = llvm.load %element : !llvm.ptr -> i32
  %value = llvm.add %loaded, %one : i32
  %new = llvm.add %sum, %value overflow<nsw> : i32
  %step = llvm.add %j, %one : i32
  llvm.br ^last(%step, %new : i32, i32)
^end(%all: i32):
  llvm.return %all : i32
}

// A maximum of what children return is one of a whole tree.
//
// CHECK-LABEL: llvm.func @greatest(
// CHECK: cilk.spawn @greatest(%{{.*}}) to %{{.*}} apply @greatest.combine
// TREE: chan.stack entry @greatest.entry
// TREE-SAME: join_free umax
llvm.func @greatest(%n: i32) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %results = llvm.alloca %one x !llvm.array<32 x i32> : (i32) -> !llvm.ptr
  llvm.br ^first(%n, %zero : i32, i32)
^first(%left: i32, %count: i32):
  %any = llvm.icmp "ne" %left, %zero : i32
  llvm.cond_br %any, ^spawn, ^after
^spawn:
  %place = llvm.getelementptr %results[0, %count] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<32 x i32>
  %half = llvm.lshr %left, %one : i32
  cilk.spawn @greatest(%half) to %place : !llvm.func<i32 (i32)>, i32
  %more = llvm.add %count, %one : i32
  llvm.br ^first(%half, %more : i32, i32)
^after:
  cilk.sync
  llvm.br ^last(%zero, %n : i32, i32)
^last(%j: i32, %best: i32):
  %again = llvm.icmp "slt" %j, %count : i32
  llvm.cond_br %again, ^better, ^end
^better:
  %element = llvm.getelementptr %results[0, %j] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<32 x i32>
  %value = llvm.load %element : !llvm.ptr -> i32
  %greater = llvm.icmp "ugt" %value, %best : i32
  %new = llvm.select %greater, %value, %best : i1, i32
  %step = llvm.add %j, %one : i32
  llvm.br ^last(%step, %new : i32, i32)
^end:
  llvm.return %best : i32
}

// An element may be cleared where its iteration spawns nothing.
// CHECK-LABEL: llvm.func @exclusive(
// CHECK-NOT: llvm.getelementptr
// CHECK: cilk.spawn @child(%{{.*}}) to %{{.*}} apply @exclusive.combine
// CHECK-NOT: llvm.getelementptr
// CHECK: llvm.return
llvm.func @exclusive(%n: i32, %given: !llvm.ptr) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %long = llvm.sext %n : i32 to i64
  %results = llvm.alloca %long x i32 : (i64) -> !llvm.ptr
  llvm.br ^first(%zero : i32)
^first(%i: i32):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^choose, ^after
^choose:
  %at = llvm.sext %i : i32 to i64
  %place = llvm.getelementptr %results[%at] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  %odd = llvm.trunc %i : i32 to i1
  llvm.cond_br %odd, ^spawn, ^clear
^spawn:
  cilk.spawn @child(%i) to %place : !llvm.func<i32 (i32)>, i32
  llvm.br ^next
^clear:
  llvm.store %zero, %place : i32, !llvm.ptr
  llvm.br ^next
^next:
  %next = llvm.add %i, %one : i32
  llvm.br ^first(%next : i32)
^after:
  cilk.sync
  llvm.br ^last(%zero, %zero : i32, i32)
^last(%j: i32, %sum: i32):
  %again = llvm.icmp "slt" %j, %n : i32
  llvm.cond_br %again, ^add, ^end(%sum : i32)
^add:
  %from = llvm.sext %j : i32 to i64
  %element = llvm.getelementptr %results[%from] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  %value = llvm.load %element : !llvm.ptr -> i32
  %new = llvm.add %sum, %value : i32
  %step = llvm.add %j, %one : i32
  llvm.br ^last(%step, %new : i32, i32)
^end(%all: i32):
  llvm.return %all : i32
}
