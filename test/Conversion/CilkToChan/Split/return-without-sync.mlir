//===- return-without-sync.mlir - A return waits for what it may leave behind ===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --lower-to-chan %s | FileCheck %s


llvm.func @work(!llvm.ptr) -> i32

llvm.func @forgot(%c: i1, %p: !llvm.ptr) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.cond_br %c, ^early, ^late
^early:
  llvm.return %one : i32
^late:
  cilk.spawn @work(%p) to %p : !llvm.func<i32 (ptr)>, !llvm.ptr
  llvm.return %one : i32
}

// CHECK: chan.kernel @forgot.0
// CHECK: llvm.cond_br %{{.*}}, ^[[EARLY:bb[0-9]+]], ^[[LATE:bb[0-9]+]]
// CHECK: ^[[EARLY]]:
// CHECK-NEXT: chan.deliver
// CHECK-NEXT: chan.done
// CHECK: ^[[LATE]]:
// CHECK: chan.talloc + 1
// CHECK: chan.talloc + 0 : <@forgot.after1>
// CHECK: chan.kernel @forgot.1 consumes @forgot.after1
// CHECK: chan.deliver
