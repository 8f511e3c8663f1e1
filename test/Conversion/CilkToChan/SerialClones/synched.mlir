//===- synched.mlir - A serial clone has called its children --------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --lower-to-chan=serial-clones=true %s | FileCheck %s

llvm.func @use(i32)

// A kernel knows the flag alone.
// CHECK-LABEL: chan.kernel @once.0
// CHECK: %[[FLAG:.*]] = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT: llvm.call @use(%[[FLAG]])
// CHECK-LABEL: chan.kernel @loop.0
// CHECK: llvm.br ^[[HEAD:bb[0-9]+]](%{{.*}}, %{{.*}} : i32, i32)
// CHECK-NEXT: ^[[HEAD]](%{{.*}}: i32, %[[FLAG:.*]]: i32):
// CHECK-NEXT: llvm.call @use(%[[FLAG]])

// A function that does not spawn any more.
// CHECK-LABEL: llvm.func @none
// CHECK-SAME: (%[[F:.*]]: i32)
// CHECK-NEXT: llvm.return %[[F]]

// In a clone nothing is outstanding.
// CHECK-LABEL: llvm.func internal @once.serial
// CHECK: llvm.call @once.serial
// CHECK-NEXT: %[[ONE:.*]] = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT: llvm.call @use(%[[ONE]])

// Where it has left its fast path, children may be elements.
// CHECK-LABEL: llvm.func internal @loop.serial
// CHECK: ^{{.*}}({{.*}}: i32, {{.*}}: i32):
// CHECK-NEXT: %[[ONE:.*]] = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT: llvm.call @use(%[[ONE]])
// CHECK: ^[[SLOW:bb[0-9]+]](%{{.*}}: i32, %[[FLAG:.*]]: i32):
// CHECK-NEXT: llvm.store
// CHECK-NEXT: llvm.call @use(%[[FLAG]])

llvm.func @once(%n: i32) {
  cilk.spawn @once(%n) : !llvm.func<void (i32)>, i32
  %flag = llvm.mlir.constant(0 : i32) : i32
  %s = cilk.synched %flag
  llvm.call @use(%s) : (i32) -> ()
  cilk.sync
  llvm.return
}

llvm.func @loop(%n: i32) {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^head(%n, %one : i32, i32)
^head(%i: i32, %flag: i32):
  %s = cilk.synched %flag
  llvm.call @use(%s) : (i32) -> ()
  cilk.spawn @once(%i) : !llvm.func<void (i32)>, i32
  %next = llvm.sub %i, %one : i32
  %more = llvm.icmp "ne" %next, %zero : i32
  llvm.cond_br %more, ^head(%next, %zero : i32, i32), ^end
^end:
  cilk.sync
  llvm.return
}

llvm.func @none(%flag: i32) -> i32 {
  %s = cilk.synched %flag
  llvm.return %s : i32
}
