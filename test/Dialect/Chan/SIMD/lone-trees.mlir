//===- lone-trees.mlir - Batches of which only sums are wanted ------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --lower-to-chan=batch-forms --chan-simd="vector-bits=512" --split-input-file %s | FileCheck %s
// RUN: cilk2chan-opt --lower-to-chan=batch-forms --chan-simd="vector-bits=512 lanes=8" --split-input-file %s | FileCheck --check-prefix=ASKED %s

// Only C begins a tree, or few of them: each fills the lanes by itself.

llvm.func @one(%n: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %a = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %b = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %leaf = llvm.icmp "slt" %n, %two : i32
  llvm.cond_br %leaf, ^end(%n : i32), ^spawn
^spawn:
  %n1 = llvm.sub %n, %one : i32
  %n2 = llvm.sub %n, %two : i32
  cilk.spawn @one(%n1) to %a : !llvm.func<i32 (i32)>, i32
  cilk.spawn @one(%n2) to %b : !llvm.func<i32 (i32)>, i32
  cilk.sync
  %x = llvm.load %a : !llvm.ptr -> i32
  %y = llvm.load %b : !llvm.ptr -> i32
  %sum = llvm.add %x, %y : i32
  llvm.br ^end(%sum : i32)
^end(%r: i32):
  llvm.return %r : i32
}
llvm.func @two(%out: !llvm.ptr) {
  %many = llvm.mlir.constant(30 : i32) : i32
  cilk.spawn @one(%many) to %out : !llvm.func<i32 (i32)>, i32
  cilk.spawn @one(%many) : !llvm.func<i32 (i32)>, i32
  cilk.sync
  llvm.return
}

// CHECK-NOT: @one.batch.0
// CHECK: chan.kernel @one.batch.reduce consumes @one.entry produces [@one.entry + 1] frame 0 phase 0 lanes 16
// CHECK-NOT: @one.batch.0
// CHECK: chan.stack entry @one.entry{{.*}} batch [@one.batch.reduce] join_free sum
// ASKED: chan.stack entry @one.entry{{.*}} batch [@one.batch.0, @one.batch.1, @one.batch.reduce] join_free sum

// -----

// A loop begins many, which may be small, and fill the lanes together.

llvm.func @many(%n: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %a = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %b = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %leaf = llvm.icmp "slt" %n, %two : i32
  llvm.cond_br %leaf, ^end(%n : i32), ^spawn
^spawn:
  %n1 = llvm.sub %n, %one : i32
  %n2 = llvm.sub %n, %two : i32
  cilk.spawn @many(%n1) to %a : !llvm.func<i32 (i32)>, i32
  cilk.spawn @many(%n2) to %b : !llvm.func<i32 (i32)>, i32
  cilk.sync
  %x = llvm.load %a : !llvm.ptr -> i32
  %y = llvm.load %b : !llvm.ptr -> i32
  %sum = llvm.add %x, %y : i32
  llvm.br ^end(%sum : i32)
^end(%r: i32):
  llvm.return %r : i32
}
// Through a pointer to functions of that type.
llvm.func @through(%f: !llvm.ptr, %out: !llvm.ptr, %more: i1) {
  %small = llvm.mlir.constant(5 : i32) : i32
  llvm.br ^loop
^loop:
  cilk.spawn %f(%small) to %out : !llvm.func<i32 (i32)>, i32
  llvm.cond_br %more, ^loop, ^end
^end:
  cilk.sync
  llvm.return
}

// CHECK: chan.stack entry @many.entry{{.*}} batch [@many.batch.0, @many.batch.1, @many.batch.reduce] join_free sum

// -----

llvm.func @other(%n: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %a = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %b = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %leaf = llvm.icmp "slt" %n, %two : i32
  llvm.cond_br %leaf, ^end(%n : i32), ^spawn
^spawn:
  %n1 = llvm.sub %n, %one : i32
  %n2 = llvm.sub %n, %two : i32
  cilk.spawn @other(%n1) to %a : !llvm.func<i32 (i32)>, i32
  cilk.spawn @other(%n2) to %b : !llvm.func<i32 (i32)>, i32
  cilk.sync
  %x = llvm.load %a : !llvm.ptr -> i32
  %y = llvm.load %b : !llvm.ptr -> i32
  %sum = llvm.add %x, %y : i32
  llvm.br ^end(%sum : i32)
^end(%r: i32):
  llvm.return %r : i32
}
// No such pointer leads to it.
llvm.func @elsewhere(%f: !llvm.ptr, %out: !llvm.ptr, %more: i1) {
  %small = llvm.mlir.constant(5 : i64) : i64
  llvm.br ^loop
^loop:
  cilk.spawn %f(%small) to %out : !llvm.func<i64 (i64)>, i64
  llvm.cond_br %more, ^loop, ^end
^end:
  cilk.sync
  llvm.return
}

// CHECK: chan.stack entry @other.entry{{.*}} batch [@other.batch.reduce] join_free sum
