//===- regalloc-errors.mlir - Too few registers for an instruction --------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --pass-pipeline='builtin.module(simt.kernel(simt-regalloc{registers=4 machine=small.json}))' --split-input-file --verify-diagnostics %s

simt.kernel @k launch "elements" parameters [] {
  %t = simt.id : <d>
  %a = simt.inst "load.i64"(%t) : (!simt.reg<d>) -> !simt.reg<d>
  %b = simt.inst "load.i64"(%t) : (!simt.reg<d>) -> !simt.reg<d>
  %c = simt.inst "load.i64"(%t) : (!simt.reg<d>) -> !simt.reg<d>
  // expected-error @+1 {{kernel 'k' needs more registers than a thread has: small.json: simt.registers is 4}}
  %d = simt.inst "cas.i64"(%a, %b, %c) : (!simt.reg<d>, !simt.reg<d>, !simt.reg<d>) -> !simt.reg<d>
  simt.inst "store.i64"(%t, %d) : (!simt.reg<d>, !simt.reg<d>) -> ()
  simt.exit
}

// -----

// expected-error @+1 {{kernel 'k' already has registers}}
simt.kernel @k launch "elements" parameters [] registers [0, 0, 0] {
  simt.exit
}
