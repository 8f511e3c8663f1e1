//===- unused-values.mlir - Unused values are erased once -----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// REQUIRES: valgrind
// RUN: valgrind -q --error-exitcode=9 cilk2chan-opt --lower-to-chan=batch-forms %s | FileCheck %s

// A maximum uses what it compares twice. To the kernel of the reduction, it is
// of two values that make no difference, and nothing is left of it.
// CHECK-LABEL: chan.kernel @most.batch.reduce
// CHECK-NOT: llvm.icmp "sgt"
// CHECK: chan.kernel @most.0
llvm.func @most(%n: i32) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %small = llvm.icmp "slt" %n, %two : i32
  llvm.cond_br %small, ^end(%zero : i32), ^more
^more:
  %m = llvm.sub %n, %one : i32
  %a = cilk.call @most(%m) : !llvm.func<i32 (i32)>, i32 -> i32
  %k = llvm.sub %n, %two : i32
  %b = cilk.call @most(%k) : !llvm.func<i32 (i32)>, i32 -> i32
  %above = llvm.icmp "sgt" %a, %b : i32
  %highest = llvm.select %above, %a, %b : i1, i32
  llvm.br ^end(%highest : i32)
^end(%result: i32):
  llvm.return %result : i32
}
