//===- spawns.mlir - Marker calls become spawns and syncs -----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --llvm-to-cilk %s | FileCheck %s

!big = !llvm.struct<(i64, i64, i64)>

llvm.func @__cilk_sync()
llvm.func @__cilk_spawn_abi.0(!llvm.ptr, !llvm.ptr, i32 {llvm.signext}) -> i32
llvm.func @__cilk_spawn_abi.1(!llvm.ptr, !llvm.ptr, i32) -> i32
llvm.func @__cilk_spawn_abi.2(!llvm.ptr, !llvm.ptr, i32) -> i32
llvm.func @__cilk_spawn_abi.3(!llvm.ptr, !llvm.ptr, !llvm.ptr {llvm.sret = !big})
llvm.func @__cilk_spawn_abi.4(!llvm.ptr, !llvm.ptr, !llvm.ptr, ...)
llvm.func @__cilk_apply.1(!llvm.ptr, !llvm.ptr)
llvm.func @__cilk_apply.3(!llvm.ptr, !llvm.ptr)
llvm.func @f(i32) -> i32
llvm.func @make(!llvm.ptr {llvm.sret = !big})
llvm.func @print(!llvm.ptr, ...)
llvm.func @original()
llvm.mlir.alias external @alias : !llvm.func<void ()> {
  %0 = llvm.mlir.addressof @original : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}

llvm.func @parent(%n: i32, %p: !llvm.ptr, %g: !llvm.ptr) {
  %f = llvm.mlir.addressof @f : !llvm.ptr
  %null = llvm.mlir.zero : !llvm.ptr
  %0 = llvm.call @__cilk_spawn_abi.0(%f, %p, %n) : (!llvm.ptr, !llvm.ptr, i32) -> i32
  %1 = llvm.call @__cilk_spawn_abi.1(%g, %p, %n) : (!llvm.ptr, !llvm.ptr, i32) -> i32
  %2 = llvm.call @__cilk_spawn_abi.2(%f, %null, %n) : (!llvm.ptr, !llvm.ptr, i32) -> i32
  %make = llvm.mlir.addressof @make : !llvm.ptr
  %poison = llvm.mlir.poison : !llvm.ptr
  llvm.call @__cilk_spawn_abi.3(%make, %p, %poison) : (!llvm.ptr, !llvm.ptr, !llvm.ptr {llvm.sret = !big}) -> ()
  %print = llvm.mlir.addressof @print : !llvm.ptr
  llvm.call @__cilk_spawn_abi.4(%print, %null, %p, %n) vararg(!llvm.func<void (ptr, ptr, ptr, ...)>) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i32 {llvm.zeroext}) -> ()
  %alias = llvm.mlir.addressof @alias : !llvm.ptr
  %3 = llvm.call @__cilk_spawn_abi.2(%alias, %null, %n) : (!llvm.ptr, !llvm.ptr, i32) -> i32
  llvm.call @__cilk_sync() : () -> ()
  llvm.return
}

// The markers are gone; what is applied stays.
// CHECK-NOT: llvm.func @__cilk_s
// CHECK: llvm.func @__cilk_apply.1
// CHECK-LABEL: llvm.func @parent
// CHECK-SAME: (%[[N:.*]]: i32, %[[P:.*]]: !llvm.ptr, %[[G:.*]]: !llvm.ptr)
// Attributes of the marker's parameters are the call's.
// CHECK: cilk.spawn @f(%[[N]]) to %[[P]] : !llvm.func<i32 (i32)>, i32 {arg_attrs = [{llvm.signext}]}
// CHECK: cilk.spawn %[[G]](%[[N]]) to %[[P]] apply @__cilk_apply.1 : !llvm.func<i32 (i32)>, i32{{$}}
// CHECK: cilk.spawn @f(%[[N]]) : !llvm.func<i32 (i32)>, i32{{$}}
// CHECK: cilk.spawn @make(%{{.*}}) to %[[P]] apply @__cilk_apply.3 : !llvm.func<void (ptr)>, !llvm.ptr {arg_attrs = [{llvm.sret
// CHECK: cilk.spawn @print(%[[P]], %[[N]]) : !llvm.func<void (ptr, ...)>, !llvm.ptr, i32 {arg_attrs = [{}, {llvm.zeroext}]}
// An alias is no function, only a pointer to one.
// CHECK: %[[ALIAS:.*]] = llvm.mlir.addressof @alias
// CHECK: cilk.spawn %[[ALIAS]](%[[N]])
// CHECK: cilk.sync
// CHECK-NOT: llvm.call
