//===- deferred.mlir - Assignments made at the sync, in spawn order -------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --lower-to-chan %s | FileCheck %s


llvm.func @f() -> i32
llvm.func @__cilk_apply.0(!llvm.ptr, !llvm.ptr)

llvm.func @sum(%p: !llvm.ptr) -> i32 {
  cilk.spawn @f() to %p apply @__cilk_apply.0 : !llvm.func<i32 ()>
  %r = cilk.call @sum(%p) : !llvm.func<i32 (ptr)>, !llvm.ptr -> i32
  // No child is running any more, but the assignment has not been made.
  cilk.sync
  llvm.return %r : i32
}

// CHECK: chan.kernel @sum.0
// CHECK: %[[SLOT:.*]] = chan.defer 4 align 4 in %{{.*}} apply @__cilk_apply.0 to %{{.*}}
// CHECK: chan.set "ret" of %{{.*}} to %[[SLOT]]
// CHECK: chan.kernel @sum.1 consumes @sum.after1 frame
// CHECK: chan.apply
// CHECK-NEXT: llvm.getelementptr
// CHECK-NEXT: llvm.load
// CHECK-NEXT: chan.deliver
// CHECK-NOT: chan.kernel @sum.2

// The result of a struct is as aligned as its callee was promised.

!wide = !llvm.struct<(vector<8xf32>)>
llvm.func @wide(!llvm.ptr)
llvm.func @__cilk_apply.1(!llvm.ptr, !llvm.ptr)

llvm.func @far(%p: !llvm.ptr) {
  cilk.spawn @wide(%p) to %p apply @__cilk_apply.1 : !llvm.func<void (ptr)>, !llvm.ptr {arg_attrs = [{llvm.sret = !wide, llvm.align = 64 : i64}]}
  llvm.return
}

// CHECK: chan.kernel @far.0
// CHECK: %[[FAR:.*]] = chan.defer 32 align 64 in %{{.*}} apply @__cilk_apply.1
// CHECK: chan.set "a0" of %{{.*}} to %[[FAR]]
