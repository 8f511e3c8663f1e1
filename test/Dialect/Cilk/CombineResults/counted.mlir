//===- counted.mlir - Results that are counted ----------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --cilk-combine-results %s | FileCheck %s

// The count is of those that have not been spawned as well:
// RUN: sed -e 's/br ^next(%more/br ^next(%found/' %s | cilk2chan-opt --cilk-combine-results | FileCheck --check-prefix=NOT %s
// RUN: sed -e 's/%odd, ^spawn, ^next(%found/%odd, ^spawn, ^next(%more2/' %s | cilk2chan-opt --cilk-combine-results | FileCheck --check-prefix=NOT %s
// or not by one, from zero:
// RUN: sed -e 's/\(more = llvm.add %found, .\)one/\1two/' %s | cilk2chan-opt --cilk-combine-results | FileCheck --check-prefix=NOT %s
// RUN: sed -e 's/br ^first(%bits, %zero/br ^first(%bits, %one/' %s | cilk2chan-opt --cilk-combine-results | FileCheck --check-prefix=NOT %s
// Others than were spawned are looked at:
// RUN: sed -e 's/slt" %j, %found/slt" %j, %bits/' %s | cilk2chan-opt --cilk-combine-results | FileCheck --check-prefix=NOT %s
// RUN: sed -e 's/llvm.br ^next(%more : i32)/llvm.cond_br %odd, ^next(%more : i32), ^after/' %s | cilk2chan-opt --cilk-combine-results | FileCheck --check-prefix=NOT %s
// How a result is changed depends on something, or somebody looks at it:
// RUN: sed -e 's/llvm.sub %zero, %value/llvm.sub %bits, %value/' %s | cilk2chan-opt --cilk-combine-results | FileCheck --check-prefix=NOT %s
// RUN: sed -e 's/look = llvm.xor %j/look = llvm.xor %value2/' %s | cilk2chan-opt --cilk-combine-results | FileCheck --check-prefix=NOT %s
// RUN: sed -e 's/look = llvm.xor %j/look = llvm.xor %best/' %s | cilk2chan-opt --cilk-combine-results | FileCheck --check-prefix=NOT %s
// The one that is chosen is neither the largest nor the smallest:
// RUN: sed -e 's/llvm.select %greater, %value2, %best/llvm.select %greater, %value2, %value/' %s | cilk2chan-opt --cilk-combine-results | FileCheck --check-prefix=NOT %s
// NOT: llvm.func @child
// NOT-NOT: @worst.combine

llvm.func @child(i32) -> i32

// CHECK-LABEL: llvm.func internal @worst.combine(
// CHECK-SAME: %[[ALL:[a-z0-9]*]]: !llvm.ptr, %[[RESULT:[a-z0-9]*]]: !llvm.ptr)
// CHECK: %[[BEFORE:.*]] = llvm.load %[[ALL]]
// CHECK: %[[NEW:.*]] = llvm.load %[[RESULT]]
// CHECK: %[[ZERO:.*]] = llvm.mlir.constant(0 : i32)
// CHECK: %[[CHANGED:.*]] = llvm.sub %[[ZERO]], %[[NEW]]
// CHECK: %[[BEST:.*]] = llvm.intr.smax(%[[BEFORE]], %[[CHANGED]])
// CHECK: llvm.store %[[BEST]], %[[ALL]]
//
// CHECK-LABEL: llvm.func @worst(
// CHECK: %[[LEAST:.*]] = llvm.mlir.constant(-2147483648 : i32)
// CHECK: %[[ALL:.*]] = llvm.alloca %{{.*}} x i32
// CHECK: llvm.store %[[LEAST]], %[[ALL]]
// CHECK-NOT: llvm.alloca
// CHECK: cilk.spawn @child(%{{.*}}) to %[[ALL]] apply @worst.combine
// CHECK: cilk.sync
// CHECK: %[[LOADED:.*]] = llvm.load %[[ALL]] : !llvm.ptr -> i32
// CHECK: %[[WORST:.*]] = llvm.intr.smax(%{{.*}}, %[[LOADED]])
// CHECK: llvm.br ^{{bb[0-9]*}}(%[[WORST]] : i32)
llvm.func @worst(%bits: i32) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %low = llvm.mlir.constant(-100 : i32) : i32
  %results = llvm.alloca %one x !llvm.array<32 x i32> : (i32) -> !llvm.ptr
  llvm.br ^first(%bits, %zero : i32, i32)
^first(%left: i32, %found: i32):
  %any = llvm.icmp "ne" %left, %zero : i32
  llvm.cond_br %any, ^body, ^after
^body:
  %more2 = llvm.add %found, %one : i32
  %odd = llvm.trunc %left : i32 to i1
  llvm.cond_br %odd, ^spawn, ^next(%found : i32)
^spawn:
  %at = llvm.sext %found : i32 to i64
  %place = llvm.getelementptr %results[0, %at] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<32 x i32>
  cilk.spawn @child(%left) to %place : !llvm.func<i32 (i32)>, i32
  %more = llvm.add %found, %one : i32
  llvm.br ^next(%more : i32)
^next(%now: i32):
  %half = llvm.lshr %left, %one : i32
  llvm.br ^first(%half, %now : i32, i32)
^after:
  cilk.sync
  llvm.br ^last(%zero, %low : i32, i32)
^last(%j: i32, %best: i32):
  %again = llvm.icmp "slt" %j, %found : i32
  llvm.cond_br %again, ^better, ^end(%best : i32)
^better:
  %from = llvm.sext %j : i32 to i64
  %element = llvm.getelementptr %results[0, %from] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<32 x i32>
  %value = llvm.load %element : !llvm.ptr -> i32
  %value2 = llvm.sub %zero, %value : i32
  %greater = llvm.icmp "sgt" %value2, %best : i32
  %look = llvm.xor %j, %one : i32
  %new = llvm.select %greater, %value2, %best : i1, i32
  %step = llvm.add %j, %one : i32
  llvm.br ^last(%step, %new : i32, i32)
^end(%all: i32):
  llvm.return %all : i32
}
