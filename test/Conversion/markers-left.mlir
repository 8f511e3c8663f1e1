//===- markers-left.mlir - A marker call that nothing raises -------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --verify-stage=markers --verify-diagnostics %s
// RUN: cilk2chan-opt --raise-to-cilk %s | FileCheck %s
// CHECK: cilk.sync

llvm.func @__cilk_sync()
llvm.func @f() {
  // expected-error @+1 {{is left at the end of a stage that lowers it}}
  llvm.call @__cilk_sync() : () -> ()
  llvm.return
}
