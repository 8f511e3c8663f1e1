//===- arrays.mlir - Small arrays by value --------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --cilk-arrays-by-value %s | FileCheck %s
// RUN: cilk2chan-opt --cilk-arrays-by-value --lower-to-chan=serial-clones %s | FileCheck --check-prefix=SERIAL %s

// A board of a size known at run time, copied, extended and given to a child.
// Where it is too large the function as it was is called, which spawns itself.
//
// CHECK-LABEL: llvm.func internal @board.whole(
// CHECK-SAME: chan.source = @board
// CHECK-SAME: passthrough = ["cold"]
// CHECK: llvm.alloca %{{.*}} x i8
// CHECK: llvm.intr.memcpy
// CHECK: cilk.spawn @board.whole(
//
// CHECK-LABEL: llvm.func @board(
// CHECK-SAME: %[[N:[a-z0-9]*]]: i32, %[[BOARD:[a-z0-9]*]]: !llvm.ptr, %[[ROWS:[a-z0-9]*]]: i64) -> i32 {
// CHECK: %[[NEXT:.*]] = llvm.alloca %{{.*}} x !llvm.array<16 x i8> {alignment = 1 : i64}
// CHECK: llvm.cond_br %{{.*}}, ^[[LEAF:bb[0-9]*]], ^[[CHECK:bb[0-9]*]]
// CHECK: ^[[CHECK]]:
// CHECK: %[[ONE:.*]] = llvm.mlir.constant(1 : i64)
// CHECK: %[[SIZE:.*]] = llvm.add %[[ROWS]], %{{.*}}
// CHECK: %[[FROZEN:.*]] = llvm.freeze %[[SIZE]]
// CHECK: %[[MOST:.*]] = llvm.mlir.constant(16 : i64)
// CHECK: %[[FITS:.*]] = llvm.icmp "ule" %[[FROZEN]], %[[MOST]]
// CHECK: llvm.cond_br %[[FITS]], ^[[FAST:bb[0-9]*]], ^[[SLOW:bb[0-9]*]]
// CHECK: ^[[FAST]]:
// The copy is one of parts.
// CHECK-NOT: memcpy
// CHECK: %[[FROM:.*]] = llvm.getelementptr %[[BOARD]][%[[I:.*]]] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK: %[[PART:.*]] = llvm.load %[[FROM]] {alignment = 1 : i64} : !llvm.ptr -> i8
// CHECK: %[[TO:.*]] = llvm.getelementptr %[[NEXT]][%[[I]]]
// CHECK: llvm.store %[[PART]], %[[TO]]
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> i8
// CHECK-COUNT-15: llvm.load
// CHECK: cilk.spawn @board.values(%[[N]], %{{.*}}, %{{.*}}, {{.*}}) to %{{.*}} : !llvm.func<i32 (i32, i64, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8)>
// CHECK: ^[[SLOW]]:
// CHECK: %[[RESULT:.*]] = llvm.call @board.whole(%[[N]], %[[BOARD]], %[[ROWS]]) : (i32, !llvm.ptr {llvm.nocapture}, i64) -> i32
// CHECK: llvm.return %[[RESULT]]

// CHECK-LABEL: llvm.func private @board.values(
// CHECK-SAME: %[[N:[a-z0-9]*]]: i32, %[[ROWS:[a-z0-9]*]]: i64, %[[P0:[a-z0-9]*]]: i8,
// CHECK-SAME: chan.source = @board
// CHECK: llvm.alloca %{{.*}} x !llvm.array<16 x i8>
// CHECK: %[[GIVEN:.*]] = llvm.alloca %{{.*}} x !llvm.array<16 x i8>
// CHECK: %[[FIRST:.*]] = llvm.getelementptr %{{.*}}[0]
// CHECK: llvm.store %[[P0]], %[[FIRST]] {chan.part} : i8, !llvm.ptr
// CHECK: llvm.load
// CHECK: cilk.spawn @board.values(
// CHECK: llvm.call @board.byval.whole(%[[N]], %[[ROWS]], %[[P0]],
//
// A lane's parts are stored for the lane that wants it.
// CHECK-LABEL: llvm.func internal @board.byval.whole(
// CHECK-SAME: %[[N:[a-z0-9]*]]: i32, %[[ROWS:[a-z0-9]*]]: i64, %[[P0:[a-z0-9]*]]: i8,
// CHECK-SAME: passthrough = ["cold"]
// CHECK: %[[GIVEN:.*]] = llvm.alloca %{{.*}} x !llvm.array<16 x i8>
// CHECK: %[[FIRST:.*]] = llvm.getelementptr %[[GIVEN]][0]
// CHECK: llvm.store %[[P0]], %[[FIRST]]
// CHECK-COUNT-15: llvm.store
// CHECK: %[[RESULT:.*]] = llvm.call @board.whole(%[[N]], %[[GIVEN]], %[[ROWS]]) : (i32, !llvm.ptr {llvm.nocapture}, i64) -> i32
// CHECK: llvm.return %[[RESULT]]
llvm.func @board(%n: i32, %board: !llvm.ptr, %rows: i64) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i64) : i64
  %result = llvm.alloca %one x i32 : (i64) -> !llvm.ptr
  %ends = llvm.icmp "eq" %n, %zero : i32
  llvm.cond_br %ends, ^leaf, ^more
^leaf:
  llvm.return %n : i32
^more:
  %size = llvm.add %rows, %one overflow<nsw> : i64
  %next = llvm.alloca %size x i8 : (i64) -> !llvm.ptr
  "llvm.intr.memcpy"(%next, %board, %rows) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  %last = llvm.getelementptr %next[%rows] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %byte = llvm.trunc %n : i32 to i8
  llvm.store %byte, %last : i8, !llvm.ptr
  cilk.spawn @board(%n, %next, %size) to %result : !llvm.func<i32 (i32, ptr, i64)>, i32, !llvm.ptr, i64
  cilk.sync
  %sum = llvm.load %result : !llvm.ptr -> i32
  llvm.return %sum : i32
}

// Words in a loop: the check is in front of it, of each of the sizes.  A memset
// is one of parts.
// CHECK-LABEL: llvm.func @words(
// CHECK: llvm.alloca %{{.*}} x !llvm.array<16 x i32> {alignment = 4 : i64}
// CHECK: llvm.br ^[[CHECK:bb[0-9]*]](%{{.*}} : i64)
// CHECK: ^[[CHECK]](%[[FIRST:.*]]: i64):
// CHECK: %[[MOST:.*]] = llvm.mlir.constant(64 : i64)
// CHECK: llvm.icmp "ule" %{{.*}}, %[[MOST]]
// CHECK: llvm.cond_br %{{.*}}, ^[[FAST:bb[0-9]*]], ^{{.*}}
// CHECK: ^[[FAST]]:
// CHECK: llvm.br ^[[HEAD:bb[0-9]*]](%[[FIRST]] : i64)
// CHECK: ^[[HEAD]]
// CHECK: %[[COUNT:.*]] = llvm.lshr
// CHECK: %[[VALUE:.*]] = llvm.mlir.constant(16843009 : i32)
// CHECK: llvm.store %[[VALUE]], %{{.*}} {alignment = 4 : i64} : i32, !llvm.ptr
llvm.func @words(%n: i64, %given: !llvm.ptr) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %four = llvm.mlir.constant(4 : i64) : i64
  %byte = llvm.mlir.constant(1 : i8) : i8
  %word = llvm.load %given : !llvm.ptr -> i32
  llvm.br ^head(%zero : i64)
^head(%i: i64):
  %more = llvm.icmp "slt" %i, %n : i64
  llvm.cond_br %more, ^body, ^end
^body:
  %bytes = llvm.mul %n, %four : i64
  %words = llvm.alloca %bytes x i8 : (i64) -> !llvm.ptr
  "llvm.intr.memset"(%words, %byte, %bytes) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  %less = llvm.sub %n, %one : i64
  cilk.spawn @words(%less, %words) : !llvm.func<void (i64, ptr)>, i64, !llvm.ptr
  %next = llvm.add %i, %one : i64
  llvm.br ^head(%next : i64)
^end:
  cilk.sync
  llvm.return
}

// Of a known size: serial clones go the second way, all others the first.
// CHECK-LABEL: llvm.func internal @fixed.whole(
// CHECK-LABEL: llvm.func @fixed(
// CHECK: %[[TRUE:.*]] = llvm.mlir.constant(true)
// CHECK: llvm.cond_br %[[TRUE]], ^{{.*}}, ^{{.*}} {chan.fits}
// CHECK: llvm.load %{{.*}} {chan.part} : !llvm.ptr -> i32
// CHECK: cilk.spawn @fixed.values(%{{.*}}) : !llvm.func<void (i64, i32, i32, i32)>
// CHECK-LABEL: llvm.func private @fixed.values(
// CHECK: llvm.store %{{.*}}, %{{.*}} {chan.part} : i32, !llvm.ptr
//
// SERIAL-LABEL: chan.kernel @fixed.0
// SERIAL-NOT: @fixed.fallback
// SERIAL: chan.talloc + 1 : <@fixed.byval.entry>
// So do the kernels that take one element at a time, but for the first.
// SERIAL-LABEL: chan.kernel @fixed.byval.0
// SERIAL: chan.talloc + 1 : <@fixed.fallback.entry>
// SERIAL-LABEL: llvm.func internal @fixed.serial.rest(
// SERIAL-NOT: @fixed.byval
// SERIAL: llvm.call @fixed.fallback.serial(
// SERIAL-LABEL: llvm.func internal @fixed.byval.serial.rest(
// SERIAL: llvm.call @fixed.fallback.serial(
llvm.func @fixed(%n: i64, %given: !llvm.ptr) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %three = llvm.mlir.constant(3 : i64) : i64
  %own = llvm.alloca %three x f32 : (i64) -> !llvm.ptr
  %value = llvm.load %given : !llvm.ptr -> f32
  llvm.store %value, %own : f32, !llvm.ptr
  cilk.spawn @fixed(%n, %own) : !llvm.func<void (i64, ptr)>, i64, !llvm.ptr
  cilk.sync
  llvm.return
}
