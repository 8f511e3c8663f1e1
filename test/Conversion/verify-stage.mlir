//===- verify-stage.mlir - What a stage has left behind ------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --verify-stage="gone=cilk" --split-input-file --verify-diagnostics %s
// RUN: cilk2chan-opt --verify-stage="gone=cilk.sync,chan" --split-input-file --verify-diagnostics %s
// RUN: cilk2chan-opt --verify-stage="gone=cilk.for,chan invariants" %s | FileCheck %s
// CHECK: cilk.sync

llvm.func @f() {
  // expected-error @+1 {{'cilk.sync' op is left at the end of a stage that lowers it}}
  cilk.sync
  llvm.return
}
