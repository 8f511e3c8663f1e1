//===- split-alone.mlir - cilk-to-chan alone ------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --cilk-to-chan %s | FileCheck %s

// CHECK-LABEL: chan.kernel @fib.0 consumes @fib.entry
// CHECK-LABEL: chan.kernel @fib.1 consumes @fib.after1
// CHECK: llvm.func @fib(i32) -> i32
// CHECK-NOT: chan.entry
// CHECK: chan.stack entry @fib.entry(a0: i32, ret: !llvm.ptr) function @fib : !llvm.func<i32 (i32)>
// CHECK-NEXT: chan.stack continuation @fib.after1(frame: !llvm.ptr)
// CHECK-NOT: cilk.
llvm.func @fib(%n: i32) -> i32 attributes {chan.entry = @fib.entry} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %isBase = llvm.icmp "slt" %n, %two : i32
  llvm.cond_br %isBase, ^base, ^recurse
^base:
  llvm.return %n : i32
^recurse:
  %n1 = llvm.sub %n, %one : i32
  cilk.spawn @fib(%n1) to %x : !llvm.func<i32 (i32)>, i32
  %n2 = llvm.sub %n, %two : i32
  %b = cilk.call @fib(%n2) : !llvm.func<i32 (i32)>, i32 -> i32
  cilk.sync
  %a = llvm.load %x : !llvm.ptr -> i32
  %s = llvm.add %a, %b : i32
  llvm.return %s : i32
}
chan.stack entry @fib.entry(a0: i32, ret: !llvm.ptr) function @fib : !llvm.func<i32 (i32)>
