//===- entry-stacks.mlir - Each spawning function names its entry stack ---===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --chan-entry-stacks=width=64 %s | FileCheck %s

// Nothing is split yet.
// CHECK: llvm.func @f(%{{.*}}: i32) -> i32 attributes {chan.entry = @f.entry}
// CHECK: cilk.spawn @f
// CHECK: llvm.func weak @g() attributes {chan.entry = @g.entry}
// CHECK: chan.stack entry @f.entry(a0: i32, ret: !llvm.ptr) function @f width 64 : !llvm.func<i32 (i32)>
// CHECK: chan.stack entry @g.entry() interposable function @g width 64
// CHECK-NOT: chan.kernel
llvm.func @f(%n: i32) -> i32 {
  cilk.spawn @f(%n) : !llvm.func<i32 (i32)>, i32
  cilk.sync
  llvm.return %n : i32
}
llvm.func weak @g() {
  cilk.sync
  llvm.return
}
// A function that does not spawn has none.
// CHECK-NOT: plain.entry
llvm.func @plain() {
  llvm.return
}
