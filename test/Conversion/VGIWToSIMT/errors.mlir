//===- errors.mlir - Kernels that are no graphs ---------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --vgiw-to-simt --split-input-file --verify-diagnostics %s

// expected-error @+1 {{kernel 'k' is in stage 'live', not in 'graph'}}
vgiw.kernel @k live parameters [] {
  vgiw.exit
}

// -----

// expected-error @+1 {{kernel 'k' has computed parameters; run 'vgiw-to-simt' before 'vgiw-compute-parameters'}}
vgiw.kernel @k graph parameters [#vgiw.binding<argument>, #vgiw.binding<computed by "mul.i64" [0 : index, 4 : i64]>] {
  vgiw.exit
}

// -----

vgiw.kernel @k graph parameters [] live_values 1 {
  // expected-error @+1 {{kernel 'k' has a 'vgiw.live_load', which is not for stage 'graph'}}
  %a = vgiw.live_load 0 -> i32
  vgiw.exit
}
