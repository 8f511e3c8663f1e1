//===- pointers.mlir - Spawns of functions not known to spawn -------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --lower-to-chan %s | FileCheck %s

llvm.func @outside(i32) -> i32
llvm.func @variadic(!llvm.ptr, ...) -> i32
llvm.func @self(%f: !llvm.ptr, %x: !llvm.ptr, %n: i32) -> i32 {
  cilk.spawn %f(%n) to %x : !llvm.func<i32 (i32)>, i32
  cilk.spawn @outside(%n) to %x : !llvm.func<i32 (i32)>, i32
  %wide = llvm.sext %n : i32 to i64
  cilk.spawn @self(%wide) : !llvm.func<void (i64)>, i64
  cilk.spawn @variadic(%f, %n) : !llvm.func<i32 (ptr, ...)>, !llvm.ptr, i32
  cilk.sync
  llvm.return %n : i32
}

// CHECK: chan.kernel @self.0
// Through a pointer, and of a function outside, are alike.
// CHECK: chan.talloc + 1 for %{{.*}} : <@call.0.entry>
// CHECK: %[[OUT:.*]] = llvm.mlir.addressof @outside
// CHECK: chan.talloc + 1 for %[[OUT]] : <@call.0.entry>
// A spawn of another type than the definition's is one through a pointer.
// CHECK: %[[SELF:.*]] = llvm.mlir.addressof @self
// CHECK: chan.talloc + 1 for %[[SELF]] : <@call.1.entry>
// CHECK: chan.talloc + 1 for %{{.*}} : <@call.2.entry>

// CHECK: chan.kernel @call.0 consumes @call.0.entry frame 0
// CHECK: %[[F:.*]] = chan.get "callee"
// CHECK: %[[R:.*]] = llvm.call %[[F]](%{{.*}}) : !llvm.ptr, (i32) -> i32
// CHECK: chan.deliver %[[R]]
// CHECK: chan.stack entry @call.0.entry(a0: i32, ret: !llvm.ptr, callee: !llvm.ptr) : !llvm.func<i32 (i32)>
// CHECK: chan.stack entry @call.1.entry(a0: i64, callee: !llvm.ptr) : !llvm.func<void (i64)>
// CHECK: chan.kernel @call.2
// CHECK: llvm.call %{{.*}}(%{{.*}}, %{{.*}}) vararg(!llvm.func<i32 (ptr, ...)>)
// CHECK: chan.stack entry @call.2.entry(a0: !llvm.ptr, a1: i32, ret: !llvm.ptr, callee: !llvm.ptr) : !llvm.func<i32 (ptr, ...)>
