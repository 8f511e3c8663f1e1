//===- errors.mlir - What cannot be raised --------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --llvm-to-cilk --verify-diagnostics %s

llvm.func @__cilk_spawn_abi.0(!llvm.ptr, !llvm.ptr)
llvm.func @f()

llvm.func @parent() {
  %f = llvm.mlir.addressof @f : !llvm.ptr
  %null = llvm.mlir.zero : !llvm.ptr
  // expected-error @+1 {{cannot spawn a function of calling convention 'fastcc'}}
  llvm.call fastcc @__cilk_spawn_abi.0(%f, %null) : (!llvm.ptr, !llvm.ptr) -> ()
  llvm.return
}
