//===- prefetched-pointers.mlir - What batches fetch ahead ----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --lower-to-chan=batch-forms --split-input-file %s | FileCheck %s
// RUN: cilk2chan-opt --lower-to-chan="batch-forms prefetch=0" --split-input-file %s | FileCheck --check-prefix=OFF %s
// RUN: cilk2chan-opt --lower-to-chan=batch-forms --split-input-file --remark-policy=all --remarks-filter=chan-batch %s 2>&1 >/dev/null | FileCheck --check-prefix=REMARK %s
// RUN: cilk2chan-opt --lower-to-chan=batch-forms --chan-simd="vector-bits=512 lanes=8" --chan-to-host=vector-bits=512 --split-input-file %s | FileCheck --check-prefix=HOST %s
// OFF-NOT: prefetched

// The nodes of a tree: what comes 32 elements later is fetched, if it is there.
// CHECK: chan.stack entry @sum.entry{{.*}} prefetched ["a0"] join_free sum
// REMARK: what parameter 1 of 'sum' points to is prefetched
// HOST-LABEL: llvm.func internal @sum.batch.reduce(
// HOST: %[[AHEAD:.*]] = llvm.mlir.constant(32 : i64)
// HOST-NEXT: %[[FIRST:.*]] = llvm.add %{{.*}}, %[[AHEAD]]
// HOST: %[[LAST:.*]] = llvm.add %[[FIRST]]
// HOST-NEXT: %[[END:.*]] = llvm.load
// HOST-NEXT: %[[THERE:.*]] = llvm.icmp "ule" %[[LAST]], %[[END]]
// HOST-NEXT: llvm.cond_br %[[THERE]]
// HOST-COUNT-8: "llvm.intr.prefetch"
// HOST-NOT: "llvm.intr.prefetch"
llvm.func @sum(%tree: !llvm.ptr) -> i64 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %null = llvm.mlir.zero : !llvm.ptr
  %none = llvm.mlir.constant(0 : i64) : i64
  %x = llvm.alloca %one x i64 : (i32) -> !llvm.ptr
  %leaf = llvm.icmp "eq" %tree, %null : !llvm.ptr
  llvm.cond_br %leaf, ^end, ^node
^end:
  llvm.return %none : i64
^node:
  %left = llvm.load %tree : !llvm.ptr -> !llvm.ptr
  cilk.spawn @sum(%left) to %x : !llvm.func<i64 (ptr)>, !llvm.ptr
  %place = llvm.getelementptr %tree[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, ptr, i64)>
  %right = llvm.load %place : !llvm.ptr -> !llvm.ptr
  %b = cilk.call @sum(%right) : !llvm.func<i64 (ptr)>, !llvm.ptr -> i64
  cilk.sync
  %a = llvm.load %x : !llvm.ptr -> i64
  %r = llvm.add %a, %b : i64
  llvm.return %r : i64
}

// -----

// Not those that were computed, those from local variables, those of what lies
// on other lines, and those that no child follows before it spawns.
// CHECK: chan.stack entry @others.entry
// CHECK-NOT: prefetched
// HOST-NOT: "llvm.intr.prefetch"
llvm.func @others(%next: !llvm.ptr, %own: !llvm.ptr, %far: !llvm.ptr, %late: !llvm.ptr) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x !llvm.ptr : (i32) -> !llvm.ptr
  llvm.store %own, %x : !llvm.ptr, !llvm.ptr
  %a = llvm.getelementptr %next[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %value = llvm.load %next : !llvm.ptr -> i64
  %b = llvm.load %x : !llvm.ptr -> !llvm.ptr
  llvm.store %value, %own : i64, !llvm.ptr
  %place = llvm.getelementptr %far[64] : (!llvm.ptr) -> !llvm.ptr, i8
  %c = llvm.load %place : !llvm.ptr -> !llvm.ptr
  %d = llvm.load %own : !llvm.ptr -> !llvm.ptr
  cilk.spawn @others(%a, %b, %c, %d) : !llvm.func<void (ptr, ptr, ptr, ptr)>, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr
  cilk.sync
  %e = llvm.load %late : !llvm.ptr -> i64
  llvm.store %e, %next : i64, !llvm.ptr
  llvm.return
}

// -----

// An array within a node is where it begins, whichever child it is that comes
// next, if that is on the first line; what lies behind a pointer is not.
// CHECK: chan.stack entry @near.entry{{.*}} prefetched ["a0"]
// HOST-LABEL: llvm.func internal @near.batch.0(
// HOST-COUNT-8: "llvm.intr.prefetch"
llvm.func @near(%node: !llvm.ptr, %n: i64) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %kids = llvm.getelementptr %node[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i64, array<8 x ptr>)>
  llvm.br ^loop(%zero : i64)
^loop(%i: i64):
  %place = llvm.getelementptr %kids[0, %i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<8 x ptr>
  %kid = llvm.load %place : !llvm.ptr -> !llvm.ptr
  cilk.spawn @near(%kid, %i) : !llvm.func<void (ptr, i64)>, !llvm.ptr, i64
  %next = llvm.add %i, %one : i64
  %more = llvm.icmp "slt" %next, %n : i64
  llvm.cond_br %more, ^loop(%next : i64), ^end
^end:
  cilk.sync
  llvm.return
}

// -----

// CHECK: chan.stack entry @far.entry
// CHECK-NOT: prefetched
llvm.func @far(%node: !llvm.ptr, %n: i64) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  llvm.br ^loop(%zero : i64)
^loop(%i: i64):
  %place = llvm.getelementptr %node[0, 1, %i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(array<8 x i64>, array<8 x ptr>)>
  %kid = llvm.load %place : !llvm.ptr -> !llvm.ptr
  cilk.spawn @far(%kid, %i) : !llvm.func<void (ptr, i64)>, !llvm.ptr, i64
  %next = llvm.add %i, %one : i64
  %more = llvm.icmp "slt" %next, %n : i64
  llvm.cond_br %more, ^loop(%next : i64), ^end
^end:
  cilk.sync
  llvm.return
}

// -----

// CHECK: chan.stack entry @behind.entry
// CHECK-NOT: prefetched
llvm.func @behind(%kids: !llvm.ptr, %n: i64) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  llvm.br ^loop(%zero : i64)
^loop(%i: i64):
  %place = llvm.getelementptr %kids[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr
  %kid = llvm.load %place : !llvm.ptr -> !llvm.ptr
  cilk.spawn @behind(%kid, %i) : !llvm.func<void (ptr, i64)>, !llvm.ptr, i64
  %next = llvm.add %i, %one : i64
  %more = llvm.icmp "slt" %next, %n : i64
  llvm.cond_br %more, ^loop(%next : i64), ^end
^end:
  cilk.sync
  llvm.return
}
