//===- without-entry-stacks.mlir - Passes that need entry stacks ----------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --chan-serial-clones --verify-diagnostics %s
// RUN: cilk2chan-opt --chan-batch-forms --verify-diagnostics %s
// RUN: cilk2chan-opt --chan-prefetch-pointers --verify-diagnostics %s
// RUN: cilk2chan-opt --cilk-to-chan --verify-diagnostics %s

// expected-error @+1 {{has no entry stack: run chan-entry-stacks before this pass}}
llvm.func @f() {
  cilk.sync
  llvm.return
}
