//===- loop-undivided.mlir - Loops are divided first ----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --lower-to-chan --verify-diagnostics %s

llvm.func @body(i64, i64)
llvm.func @f(%n: i64) {
  // expected-error @+1 {{a loop is to be divided first, by cilk-for-to-spawn}}
  cilk.for @body() times %n
  llvm.return
}
