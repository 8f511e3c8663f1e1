//===- frame-before-element.mlir - The frame is not allocated while an element is being filled ===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --lower-to-chan %s | FileCheck %s


llvm.func @work()

llvm.func @f(%p: !llvm.ptr) {
  cilk.spawn @work() : !llvm.func<void ()>
  cilk.sync
  llvm.call @work() : () -> ()
  llvm.return
}

// CHECK: chan.kernel @f.0
// CHECK: %[[F:.*]] = chan.frame
// CHECK: %[[K:.*]] = chan.talloc + 0
// CHECK-NEXT: chan.set "frame" of %[[K]] to %[[F]]
// CHECK-NEXT: chan.enq %[[K]]
