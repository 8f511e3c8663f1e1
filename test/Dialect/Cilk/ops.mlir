//===- ops.mlir - Every op of the cilk dialect in assembly ----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --verify-roundtrip %s | FileCheck %s
// RUN: cilk2chan-opt --emit-bytecode %s | cilk2chan-opt | FileCheck %s
// RUN: cilk2chan-opt --mlir-print-op-generic %s | cilk2chan-opt | FileCheck %s

!big = !llvm.struct<"big", (array<4 x i64>)>

llvm.func @fib(i32) -> i32
llvm.func @print(!llvm.ptr, ...) -> i32
llvm.func @make(!llvm.ptr)
llvm.func @take(!llvm.ptr)
llvm.func @"odd name"()
llvm.func @add(!llvm.ptr, !llvm.ptr)

// CHECK-LABEL: llvm.func @spawns
llvm.func @spawns(%n: i32, %x: !llvm.ptr, %f: !llvm.ptr) {
  // CHECK: cilk.spawn @fib(%{{.*}}) to %{{.*}} : !llvm.func<i32 (i32)>, i32
  cilk.spawn @fib(%n) to %x : !llvm.func<i32 (i32)>, i32
  // CHECK: cilk.spawn @fib(%{{.*}}) : !llvm.func<i32 (i32)>, i32
  cilk.spawn @fib(%n) : !llvm.func<i32 (i32)>, i32
  // CHECK: cilk.spawn %{{.*}}(%{{.*}}) to %{{.*}} apply @add : !llvm.func<i32 (i32)>, i32
  cilk.spawn %f(%n) to %x apply @add : !llvm.func<i32 (i32)>, i32
  // CHECK: cilk.spawn @"odd name"() : !llvm.func<void ()>{{$}}
  cilk.spawn @"odd name"() : !llvm.func<void ()>
  // CHECK: cilk.spawn @print(%{{.*}}, %{{.*}}) : !llvm.func<i32 (ptr, ...)>, !llvm.ptr, i32
  cilk.spawn @print(%x, %n) : !llvm.func<i32 (ptr, ...)>, !llvm.ptr, i32
  // CHECK: cilk.spawn @take(%{{.*}}) : !llvm.func<void (ptr)>, !llvm.ptr
  // CHECK-SAME: arg_attrs = [{llvm.byval = !llvm.struct<"big", (array<4 x i64>)>}]
  cilk.spawn @take(%x) : !llvm.func<void (ptr)>, !llvm.ptr {arg_attrs = [{llvm.byval = !big}]}
  // CHECK: cilk.spawn @make(%{{.*}}) to %{{.*}} apply @add
  // CHECK-SAME: llvm.sret
  cilk.spawn @make(%x) to %x apply @add : !llvm.func<void (ptr)>, !llvm.ptr {arg_attrs = [{llvm.sret = !big}]}
  // CHECK: cilk.sync{{$}}
  cilk.sync
  // CHECK: cilk.synched %{{.*}}{{$}}
  %flag = llvm.mlir.constant(1 : i32) : i32
  %synched = cilk.synched %flag
  llvm.return
}

// CHECK-LABEL: llvm.func @calls
llvm.func @calls(%n: i32, %x: !llvm.ptr) -> i32 {
  // CHECK: %{{.*}} = cilk.call @fib(%{{.*}}) : !llvm.func<i32 (i32)>, i32 -> i32
  %y = cilk.call @fib(%n) : !llvm.func<i32 (i32)>, i32 -> i32
  // CHECK: cilk.call @"odd name"() : !llvm.func<void ()>{{$}}
  cilk.call @"odd name"() : !llvm.func<void ()>
  // CHECK: cilk.call @take(%{{.*}}) : !llvm.func<void (ptr)>, !llvm.ptr {arg_attrs = [{llvm.byval
  cilk.call @take(%x) : !llvm.func<void (ptr)>, !llvm.ptr {arg_attrs = [{llvm.byval = !big}]}
  llvm.return %y : i32
}

llvm.func @body(i64, i64, !llvm.ptr, i32)
llvm.func @plain_body(i64, i64)

// CHECK-LABEL: llvm.func @loops
llvm.func @loops(%n: i64, %g: i64, %p: !llvm.ptr, %k: i32) {
  // CHECK: cilk.for @body(%{{.*}}, %{{.*}}) times %{{[^ ]*}} : !llvm.ptr, i32{{$}}
  cilk.for @body(%p, %k) times %n : !llvm.ptr, i32
  // CHECK: cilk.for @body(%{{.*}}, %{{.*}}) times %{{.*}} grain %{{.*}} : !llvm.ptr, i32
  cilk.for @body(%p, %k) times %n grain %g : !llvm.ptr, i32
  // CHECK: cilk.for @plain_body() times %{{.*}} grain %{{[^ ]*}}{{$}}
  cilk.for @plain_body() times %n grain %g
  llvm.return
}
