//===- heap-to-stack.mlir - Memory that is freed again --------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --cilk-heap-to-stack --split-input-file %s | FileCheck %s

llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @calloc(i64, i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
llvm.func @unknown(!llvm.ptr)
llvm.func internal @leaf(%p: !llvm.ptr) {
  %one = llvm.mlir.constant(1 : i8) : i8
  llvm.store %one, %p : i8, !llvm.ptr
  cilk.spawn @leaf(%p) : !llvm.func<void (ptr)>, !llvm.ptr
  llvm.return
}
llvm.func weak @replaced(%p: !llvm.ptr) {
  llvm.return
}
llvm.func internal @keeps(%p: !llvm.ptr) -> !llvm.ptr {
  llvm.return %p : !llvm.ptr
}
llvm.func internal @body(%begin: i64, %end: i64, %p: !llvm.ptr) {
  llvm.call @unknown(%p) : (!llvm.ptr) -> ()
  llvm.return
}

// CHECK-LABEL: llvm.func @plain
// CHECK: %[[OBJECT:.*]] = llvm.alloca %{{.*}} x !llvm.array<32 x i8> {alignment = 16 : i64}
// CHECK-NOT: malloc
// CHECK: cilk.spawn @leaf(%[[OBJECT]])
// CHECK-NOT: free
// CHECK: llvm.return
llvm.func @plain() {
  %size = llvm.mlir.constant(32 : i64) : i64
  %p = llvm.call @malloc(%size) : (i64) -> !llvm.ptr
  cilk.spawn @leaf(%p) : !llvm.func<void (ptr)>, !llvm.ptr
  cilk.sync
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.return
}

// CHECK-LABEL: llvm.func @cleared
// CHECK: %[[OBJECT:.*]] = llvm.alloca %{{.*}} x !llvm.array<40 x i8>
// CHECK: "llvm.intr.memset"(%[[OBJECT]],
// CHECK-NOT: @free
llvm.func @cleared() {
  %count = llvm.mlir.constant(5 : i64) : i64
  %each = llvm.mlir.constant(8 : i64) : i64
  %p = llvm.call @calloc(%count, %each) : (i64, i64) -> !llvm.ptr
  cilk.spawn @leaf(%p) : !llvm.func<void (ptr)>, !llvm.ptr
  cilk.sync
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.return
}

// One object for all iterations; where there was no memory, control does not
// come by.
// CHECK-LABEL: llvm.func @again
// CHECK: llvm.alloca
// CHECK-NEXT: llvm.br
// CHECK-NOT: malloc
// CHECK-NOT: @free
// CHECK: llvm.return
llvm.func @again(%n: i32) {
  llvm.br ^loop(%n : i32)
^loop(%i: i32):
  %size = llvm.mlir.constant(32 : i64) : i64
  %p = llvm.call @malloc(%size) : (i64) -> !llvm.ptr
  %null = llvm.mlir.zero : !llvm.ptr
  %none = llvm.icmp "eq" %p, %null : !llvm.ptr
  llvm.cond_br %none, ^end, ^some
^some:
  cilk.spawn @leaf(%p) : !llvm.func<void (ptr)>, !llvm.ptr
  cilk.sync
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  %one = llvm.mlir.constant(1 : i32) : i32
  %next = llvm.sub %i, %one : i32
  %more = llvm.icmp "sgt" %next, %one : i32
  llvm.cond_br %more, ^loop(%next : i32), ^end
^end:
  llvm.return
}

// Not freed by one way to the end.
// CHECK-LABEL: llvm.func @sometimes
// CHECK: llvm.call @malloc
// CHECK: llvm.call @free
llvm.func @sometimes(%keep: i1) {
  %size = llvm.mlir.constant(32 : i64) : i64
  %p = llvm.call @malloc(%size) : (i64) -> !llvm.ptr
  cilk.spawn @leaf(%p) : !llvm.func<void (ptr)>, !llvm.ptr
  cilk.sync
  llvm.cond_br %keep, ^end, ^give
^give:
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.br ^end
^end:
  llvm.return
}

// Several at a time: each iteration has one, the last is freed.
// CHECK-LABEL: llvm.func @several
// CHECK: llvm.call @malloc
// CHECK: llvm.call @free
llvm.func @several(%n: i32) {
  llvm.br ^loop(%n : i32)
^loop(%i: i32):
  %size = llvm.mlir.constant(32 : i64) : i64
  %p = llvm.call @malloc(%size) : (i64) -> !llvm.ptr
  cilk.spawn @leaf(%p) : !llvm.func<void (ptr)>, !llvm.ptr
  %one = llvm.mlir.constant(1 : i32) : i32
  %next = llvm.sub %i, %one : i32
  %more = llvm.icmp "sgt" %next, %one : i32
  llvm.cond_br %more, ^loop(%next : i32), ^end
^end:
  cilk.sync
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.return
}

// Too large for a stack on which there may be many; of a size that is not
// known; of none.
// CHECK-LABEL: llvm.func @sizes
// CHECK-COUNT-3: llvm.call @malloc
llvm.func @sizes(%n: i64) {
  %large = llvm.mlir.constant(257 : i64) : i64
  %zero = llvm.mlir.constant(0 : i64) : i64
  %p = llvm.call @malloc(%large) : (i64) -> !llvm.ptr
  %q = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  %r = llvm.call @malloc(%zero) : (i64) -> !llvm.ptr
  cilk.spawn @leaf(%p) : !llvm.func<void (ptr)>, !llvm.ptr
  cilk.sync
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.call @free(%q) : (!llvm.ptr) -> ()
  llvm.call @free(%r) : (!llvm.ptr) -> ()
  llvm.return
}

// Who else knows the address may free it, and then end the program.
// CHECK-LABEL: llvm.func @known
// CHECK-COUNT-5: llvm.call @malloc
llvm.func @known(%n: i64, %global: !llvm.ptr) {
  %size = llvm.mlir.constant(32 : i64) : i64
  %p = llvm.call @malloc(%size) : (i64) -> !llvm.ptr
  %q = llvm.call @malloc(%size) : (i64) -> !llvm.ptr
  %r = llvm.call @malloc(%size) : (i64) -> !llvm.ptr
  %s = llvm.call @malloc(%size) : (i64) -> !llvm.ptr
  %t = llvm.call @malloc(%size) : (i64) -> !llvm.ptr
  llvm.call @unknown(%p) : (!llvm.ptr) -> ()
  cilk.spawn @replaced(%q) : !llvm.func<void (ptr)>, !llvm.ptr
  cilk.spawn @keeps(%r) : !llvm.func<ptr (ptr)>, !llvm.ptr
  cilk.for @body(%s) times %n : !llvm.ptr
  llvm.store %t, %global : !llvm.ptr, !llvm.ptr
  cilk.sync
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.call @free(%q) : (!llvm.ptr) -> ()
  llvm.call @free(%r) : (!llvm.ptr) -> ()
  llvm.call @free(%s) : (!llvm.ptr) -> ()
  llvm.call @free(%t) : (!llvm.ptr) -> ()
  llvm.return
}

// Nobody spawns here.
// CHECK-LABEL: llvm.func @serial
// CHECK: llvm.call @malloc
llvm.func @serial() {
  %size = llvm.mlir.constant(32 : i64) : i64
  %p = llvm.call @malloc(%size) : (i64) -> !llvm.ptr
  llvm.call @leaf(%p) : (!llvm.ptr) -> ()
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.return
}

// -----

// With -fno-builtin-malloc.
llvm.func @malloc(i64) -> !llvm.ptr attributes {passthrough = ["no-builtin-malloc"]}
llvm.func @free(!llvm.ptr)
llvm.func internal @leaf(%p: !llvm.ptr) {
  llvm.return
}
// CHECK-LABEL: llvm.func @unknown
// CHECK: llvm.call @malloc
llvm.func @unknown() {
  %size = llvm.mlir.constant(32 : i64) : i64
  %p = llvm.call @malloc(%size) : (i64) -> !llvm.ptr
  cilk.spawn @leaf(%p) : !llvm.func<void (ptr)>, !llvm.ptr
  cilk.sync
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.return
}
