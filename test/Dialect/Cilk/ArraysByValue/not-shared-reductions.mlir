//===- not-shared-reductions.mlir - What is left as it was -----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --cilk-arrays-by-value %s | FileCheck %s

// CHECK-NOT: atomicrmw
// CHECK-NOT: .byval

// There is no atomic product.
llvm.func @product(%n: i32, %to: !llvm.ptr) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  cilk.spawn @product(%n, %x) : !llvm.func<void (i32, ptr)>, i32, !llvm.ptr
  cilk.sync
  %a = llvm.load %x : !llvm.ptr -> i32
  %b = llvm.mul %a, %n : i32
  llvm.store %b, %to : i32, !llvm.ptr
  llvm.return
}

// A child's is counted twice.
llvm.func @twice(%n: i32, %to: !llvm.ptr) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  cilk.spawn @twice(%n, %x) : !llvm.func<void (i32, ptr)>, i32, !llvm.ptr
  cilk.sync
  %a = llvm.load %x : !llvm.ptr -> i32
  %b = llvm.add %a, %a : i32
  llvm.store %b, %to : i32, !llvm.ptr
  llvm.return
}

// Somebody looks at a child's by itself.
llvm.func @looked(%n: i32, %to: !llvm.ptr) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  cilk.spawn @looked(%n, %x) : !llvm.func<void (i32, ptr)>, i32, !llvm.ptr
  cilk.sync
  %a = llvm.load %x : !llvm.ptr -> i32
  %b = llvm.icmp "eq" %a, %n : i32
  %c = llvm.zext %b : i1 to i32
  %d = llvm.add %a, %c : i32
  llvm.store %d, %to : i32, !llvm.ptr
  llvm.return
}

// On one way nothing is left: what was there stays.
llvm.func @sometimes(%n: i32, %to: !llvm.ptr, %is: i1) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.cond_br %is, ^inner, ^end
^inner:
  cilk.spawn @sometimes(%n, %x, %is) : !llvm.func<void (i32, ptr, i1)>, i32, !llvm.ptr, i1
  cilk.sync
  %a = llvm.load %x : !llvm.ptr -> i32
  llvm.store %a, %to : i32, !llvm.ptr
  llvm.br ^end
^end:
  llvm.return
}

// What was there before is added to.
llvm.func @before(%n: i32, %to: !llvm.ptr) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  cilk.spawn @before(%n, %x) : !llvm.func<void (i32, ptr)>, i32, !llvm.ptr
  cilk.sync
  %a = llvm.load %x : !llvm.ptr -> i32
  %b = llvm.load %to : !llvm.ptr -> i32
  %c = llvm.add %a, %b : i32
  llvm.store %c, %to : i32, !llvm.ptr
  llvm.return
}

// The place is known by another argument, too.
llvm.func @known(%to: !llvm.ptr, %by: !llvm.ptr) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %own = llvm.load %by : !llvm.ptr -> i32
  cilk.spawn @known(%x, %x) : !llvm.func<void (ptr, ptr)>, !llvm.ptr, !llvm.ptr
  cilk.sync
  %a = llvm.load %x : !llvm.ptr -> i32
  %b = llvm.add %a, %own : i32
  llvm.store %b, %to : i32, !llvm.ptr
  llvm.return
}

// It is passed on.
llvm.func @passed(%n: i32, %to: !llvm.ptr) {
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.store %one, %to : i32, !llvm.ptr
  cilk.spawn @passed(%n, %to) : !llvm.func<void (i32, ptr)>, i32, !llvm.ptr
  llvm.return
}

// Parts of another size are looked at.
llvm.func @parts(%n: i32, %to: !llvm.ptr) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  cilk.spawn @parts(%n, %x) : !llvm.func<void (i32, ptr)>, i32, !llvm.ptr
  cilk.sync
  %a = llvm.load %x : !llvm.ptr -> i16
  %b = llvm.zext %a : i16 to i32
  llvm.store %b, %to : i32, !llvm.ptr
  llvm.return
}

// The loop's bound may change with what is written in between.
llvm.func @bound(%end: !llvm.ptr, %n: i32, %to: !llvm.ptr, %log: !llvm.ptr) {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %found = llvm.alloca %one x !llvm.array<8 x i32> : (i32) -> !llvm.ptr
  llvm.br ^loop(%zero : i32)
^loop(%i: i32):
  %last = llvm.load %end : !llvm.ptr -> i32
  %more = llvm.icmp "slt" %i, %last : i32
  llvm.cond_br %more, ^body, ^sync
^body:
  llvm.store %i, %log : i32, !llvm.ptr
  %place = llvm.getelementptr %found[0, %i] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<8 x i32>
  cilk.spawn @bound(%end, %n, %place, %log) : !llvm.func<void (ptr, i32, ptr, ptr)>, !llvm.ptr, i32, !llvm.ptr, !llvm.ptr
  %next = llvm.add %i, %one : i32
  llvm.br ^loop(%next : i32)
^sync:
  cilk.sync
  llvm.store %zero, %to : i32, !llvm.ptr
  llvm.br ^loop2(%zero : i32)
^loop2(%j: i32):
  %last2 = llvm.load %end : !llvm.ptr -> i32
  %more2 = llvm.icmp "slt" %j, %last2 : i32
  llvm.cond_br %more2, ^body2, ^end
^body2:
  %place2 = llvm.getelementptr %found[0, %j] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<8 x i32>
  %got = llvm.load %place2 : !llvm.ptr -> i32
  %before = llvm.load %to : !llvm.ptr -> i32
  %after = llvm.add %before, %got : i32
  llvm.store %after, %to : i32, !llvm.ptr
  %next2 = llvm.add %j, %one : i32
  llvm.br ^loop2(%next2 : i32)
^end:
  llvm.return
}
