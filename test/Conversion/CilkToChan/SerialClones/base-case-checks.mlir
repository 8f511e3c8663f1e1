//===- base-case-checks.mlir - What callers inline ------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --lower-to-chan=serial-clones %s | FileCheck %s

// A check that is too large for all callers keeps its base cases, with their loops.
// The outlined body gets what the check has computed: registers that calls need are
// not saved where nothing is called.

llvm.func @large(%n: i32, %k: i32) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %a0 = llvm.add %n, %k : i32
  %a1 = llvm.mul %a0, %n : i32
  %a2 = llvm.mul %a1, %k : i32
  %a3 = llvm.mul %a2, %n : i32
  %a4 = llvm.mul %a3, %k : i32
  %a5 = llvm.mul %a4, %n : i32
  %a6 = llvm.mul %a5, %k : i32
  %a7 = llvm.mul %a6, %n : i32
  %a8 = llvm.mul %a7, %k : i32
  %a9 = llvm.mul %a8, %n : i32
  %a10 = llvm.mul %a9, %k : i32
  %a11 = llvm.mul %a10, %n : i32
  %a12 = llvm.mul %a11, %k : i32
  %a13 = llvm.mul %a12, %n : i32
  %a14 = llvm.mul %a13, %k : i32
  %a15 = llvm.mul %a14, %n : i32
  %a16 = llvm.mul %a15, %k : i32
  %a17 = llvm.mul %a16, %n : i32
  %a18 = llvm.mul %a17, %k : i32
  %a19 = llvm.mul %a18, %n : i32
  %a20 = llvm.mul %a19, %k : i32
  %a21 = llvm.mul %a20, %n : i32
  %a22 = llvm.mul %a21, %k : i32
  %a23 = llvm.mul %a22, %n : i32
  %a24 = llvm.mul %a23, %k : i32
  %a25 = llvm.mul %a24, %n : i32
  %a26 = llvm.mul %a25, %k : i32
  %a27 = llvm.mul %a26, %n : i32
  %a28 = llvm.mul %a27, %k : i32
  %a29 = llvm.mul %a28, %n : i32
  %a30 = llvm.mul %a29, %k : i32
  %a31 = llvm.mul %a30, %n : i32
  %a32 = llvm.mul %a31, %k : i32
  %isLoop = llvm.icmp "slt" %a32, %k : i32
  llvm.cond_br %isLoop, ^loop(%zero : i32), ^spawn
^loop(%i: i32):
  %next = llvm.add %i, %one : i32
  %again = llvm.icmp "slt" %next, %a32 : i32
  llvm.cond_br %again, ^loop(%next : i32), ^done
^done:
  llvm.return %next : i32
^spawn:
  %s = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  cilk.spawn @large(%a32, %k) to %s : !llvm.func<i32 (i32, i32)>, i32, i32
  cilk.sync
  %v = llvm.load %s : !llvm.ptr -> i32
  llvm.return %v : i32
}

// CHECK-LABEL: llvm.func internal @large.serial(
// CHECK-SAME: %[[WORKER:[^:]*]]: !llvm.ptr, %[[N:[^:]*]]: i32, %[[K:[^:]*]]: i32) -> i32
// CHECK-NOT: always_inline
// CHECK: %[[IS_LOOP:.*]] = llvm.icmp "slt" %[[LAST:.*]], %[[K]] : i32
// CHECK-NEXT: llvm.cond_br %[[IS_LOOP]], ^[[LOOP:.*]](%{{.*}}), ^[[SPAWN:.*]]
// CHECK-NEXT: ^[[LOOP]](
// CHECK: ^[[SPAWN]]:
// CHECK-NEXT: %[[R:.*]] = llvm.call @large.serial.body(%[[WORKER]], %[[N]], %[[K]], %[[LAST]])
// CHECK-NEXT: llvm.return %[[R]]
// CHECK-LABEL: llvm.func internal @large.serial.body(
// CHECK-SAME: no_inline
// CHECK-NOT: llvm.mul
// CHECK: llvm.call @large.serial(
// CHECK-NOT: @large.serial.base

// A base case does not count as part of the check: it is outlined, however large.

llvm.func @longBase(%n: i32, %k: i32) {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %isBase = llvm.icmp "slt" %n, %k : i32
  llvm.cond_br %isBase, ^loop(%zero : i32), ^spawn
^loop(%i: i32):
  %m0 = llvm.mul %i, %n : i32
  %s0 = llvm.xor %m0, %k : i32
  %m1 = llvm.mul %s0, %n : i32
  %s1 = llvm.xor %m1, %k : i32
  %m2 = llvm.mul %s1, %n : i32
  %s2 = llvm.xor %m2, %k : i32
  %m3 = llvm.mul %s2, %n : i32
  %s3 = llvm.xor %m3, %k : i32
  %m4 = llvm.mul %s3, %n : i32
  %s4 = llvm.xor %m4, %k : i32
  %m5 = llvm.mul %s4, %n : i32
  %s5 = llvm.xor %m5, %k : i32
  %m6 = llvm.mul %s5, %n : i32
  %s6 = llvm.xor %m6, %k : i32
  %m7 = llvm.mul %s6, %n : i32
  %s7 = llvm.xor %m7, %k : i32
  %m8 = llvm.mul %s7, %n : i32
  %s8 = llvm.xor %m8, %k : i32
  %m9 = llvm.mul %s8, %n : i32
  %s9 = llvm.xor %m9, %k : i32
  %m10 = llvm.mul %s9, %n : i32
  %s10 = llvm.xor %m10, %k : i32
  %m11 = llvm.mul %s10, %n : i32
  %s11 = llvm.xor %m11, %k : i32
  %m12 = llvm.mul %s11, %n : i32
  %s12 = llvm.xor %m12, %k : i32
  %m13 = llvm.mul %s12, %n : i32
  %s13 = llvm.xor %m13, %k : i32
  %m14 = llvm.mul %s13, %n : i32
  %s14 = llvm.xor %m14, %k : i32
  %m15 = llvm.mul %s14, %n : i32
  %s15 = llvm.xor %m15, %k : i32
  %again = llvm.icmp "slt" %s15, %n : i32
  llvm.cond_br %again, ^loop(%s15 : i32), ^end
^end:
  llvm.return
^spawn:
  cilk.spawn @longBase(%one, %k) : !llvm.func<void (i32, i32)>, i32, i32
  cilk.sync
  llvm.return
}

// CHECK-LABEL: llvm.func internal @longBase.serial(
// CHECK-SAME: always_inline
// CHECK-NOT: llvm.mul
// CHECK: llvm.call @longBase.serial.body(
// CHECK: llvm.call @longBase.serial.base(
// CHECK-LABEL: llvm.func internal @longBase.serial.body(
// CHECK-NOT: llvm.mul
// CHECK-LABEL: llvm.func internal @longBase.serial.base(
// CHECK-COUNT-16: llvm.mul

// A local that only the check and its base cases access may be stored to: an
// activation that starts again has another one.

llvm.func @temporary(%n: i32, %p: !llvm.ptr) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %t = llvm.alloca %one x !llvm.struct<(i32, i32)> : (i32) -> !llvm.ptr
  %t1 = llvm.getelementptr %t[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i32, i32)>
  llvm.store %n, %t1 : i32, !llvm.ptr
  %isBase = llvm.icmp "slt" %n, %two : i32
  llvm.cond_br %isBase, ^base, ^spawn
^base:
  llvm.call @look(%t) : (!llvm.ptr) -> ()
  llvm.return
^spawn:
  cilk.spawn @temporary(%one, %p) : !llvm.func<void (i32, ptr)>, i32, !llvm.ptr
  cilk.sync
  llvm.return
}
llvm.func @look(!llvm.ptr)

// CHECK-LABEL: llvm.func internal @temporary.serial(
// CHECK-SAME: always_inline
// CHECK: llvm.store
// CHECK-NOT: @look
// CHECK: llvm.call @temporary.serial.body(
// CHECK: llvm.call @temporary.serial.base(
// CHECK-LABEL: llvm.func internal @temporary.serial.body(
// CHECK-NOT: llvm.store
// CHECK: llvm.call @temporary.serial(
// CHECK-LABEL: llvm.func internal @temporary.serial.base(
// CHECK: llvm.store
// CHECK: llvm.call @look(

// Not where the rest looks at it, or has a place in it, as it has one of its own.

llvm.func @needed(%n: i32) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %t = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.store %n, %t : i32, !llvm.ptr
  %isBase = llvm.icmp "slt" %n, %two : i32
  llvm.cond_br %isBase, ^base, ^spawn
^base:
  %l = llvm.load %t : !llvm.ptr -> i32
  llvm.return
^spawn:
  %m = llvm.load %t : !llvm.ptr -> i32
  cilk.spawn @needed(%m) : !llvm.func<void (i32)>, i32
  cilk.sync
  llvm.return
}
llvm.func @known(%n: i32, %p: !llvm.ptr) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %t = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.store %n, %t : i32, !llvm.ptr
  %address = llvm.ptrtoint %t : !llvm.ptr to i64
  %isBase = llvm.icmp "slt" %n, %two : i32
  llvm.cond_br %isBase, ^base, ^spawn
^base:
  llvm.return
^spawn:
  cilk.spawn @keep(%address) : !llvm.func<void (i64)>, i64
  cilk.spawn @known(%one, %p) : !llvm.func<void (i32, ptr)>, i32, !llvm.ptr
  cilk.sync
  llvm.return
}
llvm.func @keep(i64)

llvm.func @inside(%n: i32) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %t = llvm.alloca %one x !llvm.array<8 x i32> : (i32) -> !llvm.ptr
  %place = llvm.getelementptr %t[0, %n] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<8 x i32>
  %isBase = llvm.icmp "slt" %n, %two : i32
  llvm.cond_br %isBase, ^base, ^spawn
^base:
  %l = llvm.load %place : !llvm.ptr -> i32
  llvm.return
^spawn:
  %first = llvm.getelementptr %t[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<8 x i32>
  llvm.store %n, %first : i32, !llvm.ptr
  %m = llvm.load %place : !llvm.ptr -> i32
  cilk.spawn @inside(%m) : !llvm.func<void (i32)>, i32
  cilk.sync
  llvm.return
}

// CHECK-LABEL: llvm.func internal @needed.serial(
// CHECK-NOT: @needed.serial.body
// CHECK-LABEL: llvm.func internal @known.serial(
// CHECK-NOT: @known.serial.body
// CHECK-LABEL: llvm.func internal @inside.serial(
// CHECK-NOT: @inside.serial.body

// Calls in a loop are looked after once, in front of it; where the loop takes from
// the stack, each time.

llvm.func @once(%n: i32) {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %wide = llvm.icmp "slt" %n, %one : i32
  llvm.cond_br %wide, ^spawns, ^calls(%zero : i32)
^spawns:
  cilk.spawn @once(%one) : !llvm.func<void (i32)>, i32
  %more = llvm.icmp "slt" %n, %zero : i32
  llvm.cond_br %more, ^spawns, ^end
^calls(%i: i32):
  %odd = llvm.trunc %i : i32 to i1
  llvm.cond_br %odd, ^call, ^next
^call:
  cilk.call @once(%i) : !llvm.func<void (i32)>, i32
  llvm.br ^next
^next:
  %j = llvm.add %i, %one : i32
  %again = llvm.icmp "slt" %j, %n : i32
  llvm.cond_br %again, ^calls(%j : i32), ^end
^end:
  cilk.sync
  llvm.return
}
llvm.func @often(%n: i32) {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %wide = llvm.icmp "slt" %n, %one : i32
  llvm.cond_br %wide, ^spawns, ^calls(%zero : i32)
^spawns:
  cilk.spawn @often(%one) : !llvm.func<void (i32)>, i32
  %more = llvm.icmp "slt" %n, %zero : i32
  llvm.cond_br %more, ^spawns, ^end
^calls(%i: i32):
  %room = llvm.alloca %i x i32 : (i32) -> !llvm.ptr
  cilk.call @often(%i) : !llvm.func<void (i32)>, i32
  %j = llvm.add %i, %one : i32
  %again = llvm.icmp "slt" %j, %n : i32
  llvm.cond_br %again, ^calls(%j : i32), ^end
^end:
  cilk.sync
  llvm.return
}

// CHECK-LABEL: llvm.func internal @once.serial(
// CHECK: llvm.icmp "slt" %{{.*}}, %{{.*}} : i32
// CHECK-NEXT: llvm.br ^[[LOOK:.*]]{{$}}
// CHECK-NEXT: ^[[LOOK]]:
// CHECK: llvm.icmp "ult"
// CHECK: llvm.call preserve_mostcc @chan_late_open_if_low.near(
// CHECK-NOT: llvm.icmp "ult"
// CHECK: llvm.icmp "uge"
// CHECK: llvm.call preserve_mostcc @chan_late_open.near(
// CHECK-NOT: chan_late_open_if_low
// CHECK-LABEL: llvm.func internal @often.serial(
// CHECK: llvm.call preserve_mostcc @chan_late_open_if_low.near(
// CHECK: llvm.icmp "ult"
// CHECK: llvm.icmp "uge"
// CHECK: llvm.call preserve_mostcc @chan_late_open.near(
// CHECK: llvm.alloca
// CHECK: llvm.call preserve_mostcc @chan_late_open_if_low.near(
// CHECK: llvm.call @often.serial(
// CHECK-NOT: chan_late_open_if_low

// A function that spawns in a loop never starts again: its check may store what
// other functions see, but not the address of a local, of which the body has its
// own.  It ends in front of the loop.

llvm.func @stores(%r: !llvm.ptr, %n: i32) {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.store %n, %r : i32, !llvm.ptr
  %isEnd = llvm.icmp "eq" %n, %zero : i32
  llvm.cond_br %isEnd, ^end, ^loop(%zero : i32)
^loop(%i: i32):
  %next = llvm.add %i, %one : i32
  cilk.spawn @stores(%r, %i) : !llvm.func<void (ptr, i32)>, !llvm.ptr, i32
  %again = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %again, ^loop(%next : i32), ^wait
^wait:
  cilk.sync
  llvm.br ^end
^end:
  llvm.return
}
llvm.func @escapes(%r: !llvm.ptr, %n: i32) {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %local = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.store %local, %r : !llvm.ptr, !llvm.ptr
  %isEnd = llvm.icmp "eq" %n, %zero : i32
  llvm.cond_br %isEnd, ^end, ^loop(%zero : i32)
^loop(%i: i32):
  %next = llvm.add %i, %one : i32
  cilk.spawn @escapes(%r, %i) : !llvm.func<void (ptr, i32)>, !llvm.ptr, i32
  %again = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %again, ^loop(%next : i32), ^wait
^wait:
  cilk.sync
  llvm.br ^end
^end:
  llvm.return
}

// CHECK-LABEL: llvm.func internal @stores.serial(
// CHECK-SAME: %[[WORKER:[^:]*]]: !llvm.ptr, %[[R:[^:]*]]: !llvm.ptr, %[[N:[^:]*]]: i32)
// CHECK-SAME: always_inline
// CHECK: llvm.store %[[N]], %[[R]]
// CHECK: llvm.cond_br %{{.*}}, ^[[END:.*]], ^[[REST:.*]]
// CHECK-NEXT: ^[[REST]]:
// CHECK-NEXT: llvm.call @stores.serial.body(%[[WORKER]], %[[R]], %[[N]])
// CHECK-LABEL: llvm.func internal @stores.serial.body(
// CHECK-NOT: llvm.store %{{.*}}, %arg1
// CHECK-LABEL: llvm.func internal @escapes.serial(
// CHECK-NOT: escapes.serial.body
// CHECK: llvm.call preserve_mostcc @chan_late_open.near(

// A base case does not know of bounds, nor of two of them, but of what is equal.

llvm.func @two_bounds(%n: i32, %m: i32, %p: !llvm.ptr) {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %few = llvm.mlir.constant(64 : i32) : i32
  %fewN = llvm.icmp "sle" %n, %few : i32
  %fewM = llvm.icmp "sle" %m, %few : i32
  %both = llvm.and %fewN, %fewM : i1
  llvm.cond_br %both, ^base, ^spawn
^base:
  llvm.call @look(%p) : (!llvm.ptr) -> ()
  llvm.return
^spawn:
  cilk.spawn @two_bounds(%zero, %m, %p) : !llvm.func<void (i32, i32, ptr)>, i32, i32, !llvm.ptr
  cilk.sync
  llvm.return
}
// CHECK-LABEL: llvm.func internal @two_bounds.serial.base(
// CHECK-NOT: llvm.unreachable
// CHECK: llvm.call @look(
// CHECK-NOT: llvm.unreachable

llvm.func @equal(%n: i32, %m: i32, %p: !llvm.ptr) {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %none = llvm.icmp "eq" %n, %zero : i32
  llvm.cond_br %none, ^base, ^spawn
^base:
  llvm.call @look(%p) : (!llvm.ptr) -> ()
  llvm.return
^spawn:
  cilk.spawn @equal(%zero, %m, %p) : !llvm.func<void (i32, i32, ptr)>, i32, i32, !llvm.ptr
  cilk.sync
  llvm.return
}
// CHECK-LABEL: llvm.func internal @equal.serial.base(
// CHECK: llvm.cond_br
// CHECK: llvm.call @look(
// CHECK: llvm.unreachable

// A base case knows bounds that are so small that a loop to them is no loop.

llvm.func @few(%n: i32, %p: !llvm.ptr) {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %eight = llvm.mlir.constant(8 : i32) : i32
  %isFew = llvm.icmp "sle" %n, %eight : i32
  llvm.cond_br %isFew, ^base, ^spawn
^base:
  llvm.call @look(%p) : (!llvm.ptr) -> ()
  llvm.return
^spawn:
  cilk.spawn @few(%zero, %p) : !llvm.func<void (i32, ptr)>, i32, !llvm.ptr
  cilk.sync
  llvm.return
}
// CHECK-LABEL: llvm.func internal @few.serial.base(
// CHECK: llvm.icmp "sle"
// CHECK: llvm.cond_br
// CHECK: llvm.call @look(
// CHECK: llvm.unreachable

// What only the body accesses is stored behind the check, in the same order.

llvm.func @initialised(%n: i32, %p: !llvm.ptr) -> i32 {
  %zero = llvm.mlir.constant(0 : i8) : i8
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %size = llvm.mlir.constant(16 : i64) : i64
  %t = llvm.alloca %one x !llvm.array<4 x i32> : (i32) -> !llvm.ptr
  %second = llvm.getelementptr %t[1] : (!llvm.ptr) -> !llvm.ptr, i32
  "llvm.intr.memset"(%t, %zero, %size) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  llvm.store %n, %second : i32, !llvm.ptr
  %isBase = llvm.icmp "slt" %n, %two : i32
  llvm.cond_br %isBase, ^base(%n : i32), ^spawn
^base(%r: i32):
  llvm.return %r : i32
^spawn:
  cilk.spawn @initialised(%one, %t) to %t : !llvm.func<i32 (i32, ptr)>, i32, !llvm.ptr
  cilk.sync
  %m = llvm.load %t : !llvm.ptr -> i32
  llvm.br ^base(%m : i32)
}
// CHECK-LABEL: llvm.func internal @initialised.serial(
// CHECK-SAME: always_inline
// CHECK-NOT: memset
// CHECK: llvm.call @initialised.serial.body(
// CHECK-LABEL: llvm.func internal @initialised.serial.body(
// CHECK: "llvm.intr.memset"(
// CHECK-NEXT: llvm.store
// CHECK: llvm.call @initialised.serial(
