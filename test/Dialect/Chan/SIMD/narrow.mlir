//===- narrow.mlir - Values of fewer bits than C gives them ---------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --chan-simd="lanes=4" --split-input-file %s | FileCheck %s
// RUN: cilk2chan-opt --chan-simd="lanes=4" --split-input-file --remarks-filter=chan-simd %s 2>&1 >/dev/null | FileCheck --check-prefix=REMARK %s
// RUN: cilk2chan-opt --chan-simd="lanes=4 narrow=0" --split-input-file %s | FileCheck --check-prefix=OFF %s
// RUN: cilk2chan-opt --chan-simd="lanes=4 narrow=0" --split-input-file --remarks-filter=chan-simd %s 2>&1 >/dev/null | FileCheck --check-prefix=SILENT %s
// SILENT-NOT: fewer bits

// The difference of two bytes needs nine bits, and is compared in sixteen.
// What both are promoted to alike is not.
// REMARK: lanes of 'compared.batch.0' compare or carry 3 values in fewer bits than C
// CHECK-LABEL: chan.kernel @compared.batch.0
// CHECK: %[[A:.*]] = chan.get "a"
// CHECK: %[[B:.*]] = chan.get "b"
// CHECK-DAG: llvm.icmp "slt" %[[A]], %[[B]] : vector<4xi8>
// CHECK-DAG: %[[WIDE_A:.*]] = llvm.sext %[[A]] : vector<4xi8> to vector<4xi16>
// CHECK-DAG: %[[WIDE_B:.*]] = llvm.sext %[[B]] : vector<4xi8> to vector<4xi16>
// CHECK: %[[DIFFERENCE:.*]] = llvm.sub %[[WIDE_A]], %[[WIDE_B]] : vector<4xi16>
// CHECK: llvm.icmp "sgt" %[[DIFFERENCE]], %{{.*}} : vector<4xi16>
//
// What is extended by zeros is compared without a sign.
// CHECK: llvm.icmp "ult" %{{.*}}, %{{.*}} : vector<4xi16>
//
// What may overflow keeps its width.
// CHECK: llvm.icmp "slt" %{{.*}}, %{{.*}} : vector<4xi32>
// OFF-LABEL: chan.kernel @compared.batch.0
// OFF-COUNT-4: llvm.icmp {{.*}} : vector<4xi32>
chan.stack entry @s(a: i8, b: i8, c: i16, n: i32, ret: !llvm.ptr) batch [@compared.batch.0]
chan.kernel @compared consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @compared.batch.0 consumes @s frame 0 phase 0 {
  %e = chan.deq : <@s>
  %a = chan.get "a" of %e : <@s> -> i8
  %b = chan.get "b" of %e : <@s> -> i8
  %c = chan.get "c" of %e : <@s> -> i16
  %n = chan.get "n" of %e : <@s> -> i32
  chan.tfree %e : <@s>
  %three = llvm.mlir.constant(3 : i32) : i32
  %many = llvm.mlir.constant(60000 : i32) : i32
  %x = llvm.sext %a : i8 to i32
  %y = llvm.sext %b : i8 to i32
  %z = llvm.zext %c : i16 to i32
  %p = llvm.icmp "slt" %x, %y : i32
  %d = llvm.sub %x, %y overflow<nsw> : i32
  %q = llvm.icmp "sgt" %d, %three : i32
  %r = llvm.icmp "slt" %z, %many : i32
  %m = llvm.add %x, %n overflow<nsw> : i32
  %s = llvm.icmp "slt" %m, %y : i32
  %pq = llvm.and %p, %q : i1
  %rs = llvm.and %r, %s : i1
  %all = llvm.or %pq, %rs : i1
  %result = llvm.zext %all : i1 to i32
  chan.result %result : i32
  chan.done
}

// -----

// Beside what all lanes have the same of, it is looked at once whether that is
// as narrow.
// REMARK: lanes of 'beside.batch.0' compare or carry 1 values
// CHECK-LABEL: chan.kernel @beside.batch.0
// CHECK: %[[A:.*]] = chan.get "a"
// CHECK: %[[N:.*]] = llvm.load %{{.*}} -> i32
// CHECK: %[[LOW:.*]] = llvm.trunc %[[N]] : i32 to i8
// CHECK: %[[AGAIN:.*]] = llvm.zext %[[LOW]] : i8 to i32
// CHECK: %[[FITS:.*]] = llvm.icmp "eq" %[[AGAIN]], %[[N]] : i32
// CHECK: %[[SAME:.*]] = llvm.icmp "eq" %[[A]], %{{.*}} : vector<4xi8>
// CHECK: %[[BOTH:.*]] = llvm.and %{{.*}}, %[[SAME]] : vector<4xi1>
// CHECK: llvm.xor %[[BOTH]]
llvm.mlir.global external @n() : i32
chan.stack entry @s(a: i8, ret: !llvm.ptr) batch [@beside.batch.0]
chan.kernel @beside consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @beside.batch.0 consumes @s frame 0 phase 0 {
  %e = chan.deq : <@s>
  %a = chan.get "a" of %e : <@s> -> i8
  chan.tfree %e : <@s>
  %address = llvm.mlir.addressof @n : !llvm.ptr
  %n = llvm.load %address : !llvm.ptr -> i32
  %x = llvm.zext %a : i8 to i32
  %differ = llvm.icmp "ne" %x, %n : i32
  %result = llvm.zext %differ : i1 to i32
  chan.result %result : i32
  chan.done
}

// -----

// What comes of a choice is few numbers: they are bytes until an operation needs
// them otherwise.
// REMARK: lanes of 'chosen.batch.0' compare or carry 2 values
// CHECK-LABEL: chan.kernel @chosen.batch.0
// CHECK: %[[WAY:.*]] = llvm.select %{{.*}}, %{{.*}}, %{{.*}} : vector<4xi1>, vector<4xi8>
// CHECK: %[[WIDE:.*]] = llvm.sext %[[WAY]] : vector<4xi8> to vector<4xi32>
// CHECK: llvm.icmp "eq" %[[WAY]], %{{.*}} : vector<4xi8>
// CHECK: llvm.mul %[[WIDE]], %{{.*}} : vector<4xi32>
chan.stack entry @s(n: i32, ret: !llvm.ptr) batch [@chosen.batch.0]
chan.kernel @chosen consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @chosen.batch.0 consumes @s frame 0 phase 0 {
  %e = chan.deq : <@s>
  %n = chan.get "n" of %e : <@s> -> i32
  chan.tfree %e : <@s>
  %zero = llvm.mlir.constant(0 : i32) : i32
  %less = llvm.mlir.constant(-1 : i32) : i32
  %five = llvm.mlir.constant(5 : i32) : i32
  %is = llvm.icmp "eq" %n, %zero : i32
  llvm.cond_br %is, ^after(%five : i32), ^no
^no:
  llvm.br ^after(%less : i32)
^after(%way: i32):
  %isFive = llvm.icmp "eq" %way, %five : i32
  %bit = llvm.zext %isFive : i1 to i32
  %product = llvm.mul %way, %n : i32
  %result = llvm.add %product, %bit : i32
  chan.result %result : i32
  chan.done
}

// -----

// What all have the same of goes to one side. The array's size bounds that, and
// so bytes do, where differences are saturated.
// REMARK: lanes of 'pairs.batch.0' compare or carry 2 values
// CHECK-LABEL: chan.kernel @pairs.batch.0
// CHECK: llvm.getelementptr inbounds
// CHECK-NEXT: %[[P:.*]] = llvm.load {{.*}} -> vector<4xi8>
// CHECK: llvm.getelementptr inbounds
// CHECK-NEXT: %[[Q:.*]] = llvm.load {{.*}} -> vector<4xi8>
// CHECK: %[[APART:.*]] = llvm.sub %{{.*}}, %{{.*}} : i32
// CHECK: %[[DIFFERENCE:.*]] = llvm.intr.ssub.sat(%[[P]], %[[Q]])
// CHECK: llvm.icmp "eq" %[[DIFFERENCE]], %{{.*}} : vector<4xi8>
//
// Without a sign, both are moved by half the range.
// CHECK: %[[U:.*]] = llvm.xor %[[Q]], %{{.*}} : vector<4xi8>
// CHECK: %[[V:.*]] = llvm.xor %[[P]], %{{.*}} : vector<4xi8>
// CHECK: %[[OTHER:.*]] = llvm.intr.ssub.sat(%[[U]], %[[V]])
// CHECK: llvm.icmp "ne" %[[OTHER]], %{{.*}} : vector<4xi8>
llvm.mlir.global external @n() : i32
chan.stack entry @s(a: i8, b: i8, ret: !llvm.ptr) batch [@pairs.batch.0]
chan.kernel @pairs consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @pairs.batch.0 consumes @s frame 0 phase 0 {
  %e = chan.deq : <@s>
  %a = chan.get "a" of %e : <@s> -> i8
  %b = chan.get "b" of %e : <@s> -> i8
  chan.tfree %e : <@s>
  %one = llvm.mlir.constant(1 : i64) : i64
  %board = llvm.alloca %one x !llvm.array<16 x i8> : (i64) -> !llvm.ptr
  llvm.store %a, %board : i8, !llvm.ptr
  %second = llvm.getelementptr %board[1] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %b, %second : i8, !llvm.ptr
  %address = llvm.mlir.addressof @n : !llvm.ptr
  %i = llvm.load %address : !llvm.ptr -> i32
  %next = llvm.getelementptr %address[1] : (!llvm.ptr) -> !llvm.ptr, i32
  %j = llvm.load %next : !llvm.ptr -> i32
  %ii = llvm.sext %i : i32 to i64
  %jj = llvm.sext %j : i32 to i64
  %atp = llvm.getelementptr inbounds %board[%ii] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %p = llvm.load %atp : !llvm.ptr -> i8
  %atq = llvm.getelementptr inbounds %board[%jj] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %q = llvm.load %atq : !llvm.ptr -> i8
  %x = llvm.sext %p : i8 to i32
  %y = llvm.sext %q : i8 to i32
  %apart = llvm.sub %j, %i : i32
  %less = llvm.sub %x, %apart : i32
  %below = llvm.icmp "eq" %y, %less : i32
  %u = llvm.zext %p : i8 to i32
  %v = llvm.zext %q : i8 to i32
  %more = llvm.add %u, %apart : i32
  %above = llvm.icmp "ne" %v, %more : i32
  %both = llvm.and %below, %above : i1
  %result = llvm.zext %both : i1 to i32
  chan.result %result : i32
  chan.done
}

// -----

// Of an index that is compared before the access nothing is known: sixteen bits
// hold the difference, and whether they hold the other side is tested once.
// REMARK: lanes of 'before.batch.0' compare or carry 1 values
// CHECK-LABEL: chan.kernel @before.batch.0
// CHECK-NOT: ssub.sat
// CHECK: %[[DIFFERENCE:.*]] = llvm.sub %{{.*}}, %{{.*}} : vector<4xi16>
// CHECK: llvm.icmp "eq" %[[DIFFERENCE]], %{{.*}} : vector<4xi16>
llvm.mlir.global external @n() : i32
chan.stack entry @s(a: i8, b: i8, ret: !llvm.ptr) batch [@before.batch.0]
chan.kernel @before consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @before.batch.0 consumes @s frame 0 phase 0 {
  %e = chan.deq : <@s>
  %a = chan.get "a" of %e : <@s> -> i8
  %b = chan.get "b" of %e : <@s> -> i8
  chan.tfree %e : <@s>
  %one = llvm.mlir.constant(1 : i64) : i64
  %board = llvm.alloca %one x !llvm.array<16 x i8> : (i64) -> !llvm.ptr
  %address = llvm.mlir.addressof @n : !llvm.ptr
  %i = llvm.load %address : !llvm.ptr -> i32
  %x = llvm.sext %a : i8 to i32
  %y = llvm.sext %b : i8 to i32
  %more = llvm.add %x, %i : i32
  %same = llvm.icmp "eq" %y, %more : i32
  %ii = llvm.sext %i : i32 to i64
  %at = llvm.getelementptr inbounds %board[%ii] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %a, %at : i8, !llvm.ptr
  %p = llvm.load %at : !llvm.ptr -> i8
  %result = llvm.select %same, %p, %b : i1, i8
  %wide = llvm.zext %result : i8 to i32
  chan.result %wide : i32
  chan.done
}
