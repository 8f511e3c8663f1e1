//===- useless-sync.mlir - Syncs with nothing to wait for -----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --lower-to-chan %s | FileCheck %s


llvm.func @work()

// A sync before any spawn, and one right after another.
llvm.func @twice() -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  cilk.sync
  cilk.spawn @work() : !llvm.func<void ()>
  cilk.sync
  cilk.sync
  llvm.return %one : i32
}

// A call waits for all that is deeper, earlier children included.
llvm.func @covered() -> i32 {
  cilk.spawn @work() : !llvm.func<void ()>
  %r = cilk.call @twice() : !llvm.func<i32 ()> -> i32
  cilk.sync
  llvm.return %r : i32
}

// CHECK: chan.kernel @twice.0 consumes @twice.entry produces [@{{.*}} + 1, @twice.after1 + 0]
// CHECK: chan.kernel @twice.1 consumes @twice.after1 frame
// CHECK: chan.kernel @covered.0 consumes @covered.entry produces [@{{.*}} + 1, @twice.entry + 1, @covered.after1 + 0]
// CHECK: chan.kernel @covered.1 consumes @covered.after1 frame
