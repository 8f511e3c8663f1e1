//===- invalid.mlir - What the simt verifiers refuse ----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --split-input-file --verify-diagnostics %s

simt.kernel @k launch "elements" parameters [] {
  %t = simt.id : <d>
  // expected-error @+1 {{is 'nop', which no core does}}
  simt.inst "nop"(%t) : (!simt.reg<d>) -> ()
  simt.exit
}

// -----

simt.kernel @k launch "elements" parameters [] {
  // expected-error @+1 {{is 'live_load', which no core does}}
  %a = simt.inst "live_load"() : () -> !simt.reg<d>
  simt.exit
}

// -----

simt.kernel @k launch "elements" parameters [] {
  %t = simt.id : <d>
  // expected-error @+1 {{'add.i64' has 2 operands, not 1}}
  %a = simt.inst "add.i64"(%t) : (!simt.reg<d>) -> !simt.reg<d>
  simt.exit
}

// -----

simt.kernel @k launch "elements" parameters [] {
  %t = simt.id : <d>
  // expected-error @+1 {{'add.i32' has operand 1 in class d, not s}}
  %a = simt.inst "add.i32"(%t, %t) : (!simt.reg<d>, !simt.reg<d>) -> !simt.reg<s>
  simt.exit
}

// -----

simt.kernel @k launch "elements" parameters [] {
  %t = simt.id : <d>
  // expected-error @+1 {{'eq.i64' has a result of class c}}
  %a = simt.inst "eq.i64"(%t, %t) : (!simt.reg<d>, !simt.reg<d>) -> !simt.reg<d>
  simt.exit
}

// -----

simt.kernel @k launch "elements" parameters [] {
  %t = simt.id : <d>
  // expected-error @+1 {{'store.i64' has no result}}
  %a = simt.inst "store.i64"(%t, %t) : (!simt.reg<d>, !simt.reg<d>) -> !simt.reg<d>
  simt.exit
}

// -----

simt.kernel @k launch "elements" parameters [] {
  %t = simt.id : <d>
  // expected-error @+1 {{'add.i64' has a result}}
  simt.inst "add.i64"(%t, %t) : (!simt.reg<d>, !simt.reg<d>) -> ()
  simt.exit
}

// -----

simt.kernel @k launch "elements" parameters [] {
  %t = simt.id : <d>
  // expected-error @+1 {{has an offset, and no address}}
  %a = simt.inst "add.i64"(%t, %t) + 8 : (!simt.reg<d>, !simt.reg<d>) -> !simt.reg<d>
  simt.exit
}

// -----

simt.kernel @k launch "elements" parameters [] {
  %t = simt.id : <d>
  // expected-error @+1 {{'syscall' names the function that it calls}}
  simt.inst "syscall"(%t) : (!simt.reg<d>) -> ()
  simt.exit
}

// -----

simt.kernel @k launch "elements" parameters [] {
  %t = simt.id : <d>
  // expected-error @+1 {{'store.i64' names no function}}
  simt.inst "store.i64"(%t, %t) calls "f" : (!simt.reg<d>, !simt.reg<d>) -> ()
  simt.exit
}

// -----

simt.kernel @k launch "elements" parameters [] {
  %t = simt.id : <d>
  // expected-error @+1 {{has a condition that is not of class c}}
  simt.cond_bra %t : <d>, ^bb1, ^bb1
^bb1:
  simt.exit
}

// -----

simt.kernel @k launch "elements" parameters [] {
  %c = simt.constant 1 : <c>
  // expected-error @+1 {{reconverges at block 2 of a kernel with 2}}
  simt.cond_bra %c : <c>, ^bb1, ^bb1 reconverge 2
^bb1:
  simt.exit
}

// -----

// expected-error @+1 {{attribute 'launch' failed to satisfy constraint: elements, range or ranges}}
simt.kernel @k launch "wide" parameters [] {
  simt.exit
}

// -----

simt.kernel @k launch "elements" parameters [] {
  // expected-error @+1 {{is parameter 0 of a kernel with 0}}
  %p = simt.parameter 0 : <d>
  simt.exit
}

// -----

// expected-error @+1 {{has an entry block with arguments}}
simt.kernel @k launch "elements" parameters [] {
^bb0(%a: !simt.reg<s>):
  simt.exit
}

// -----

// expected-error @+1 {{has registers of 2 classes, not 3}}
simt.kernel @k launch "elements" parameters [] registers [1, 1] {
  simt.exit
}

// -----

simt.kernel @k launch "elements" parameters [] registers [1, 0, 0] {
  %a = simt.constant 1 : <s>
  // expected-error @+1 {{a value has no register among the kernel's 1 of class s}}
  %b = simt.inst "mov.i32"(%a) : (!simt.reg<s>) -> !simt.reg<s, 1>
  simt.exit
}

// -----

simt.kernel @k launch "elements" parameters [] registers [1, 0, 0] {
  // expected-error @+1 {{an operand that needs no register has one}}
  %a = simt.constant 1 : <s, 0>
  simt.exit
}

// -----

simt.kernel @k launch "elements" parameters [] registers [1, 0, 0] {
  %a = simt.constant 1 : <s>
  %b = simt.inst "mov.i32"(%a) : (!simt.reg<s>) -> !simt.reg<s, 0>
  %c = simt.inst "mov.i32"(%a) : (!simt.reg<s>) -> !simt.reg<s, 0>
  // expected-error @+1 {{reads register s0, which does not hold its operand any more}}
  %d = simt.inst "mov.i32"(%b) : (!simt.reg<s, 0>) -> !simt.reg<s, 0>
  simt.exit
}

// -----

// On one of two ways.
simt.kernel @k launch "elements" parameters [] registers [1, 0, 0] {
  %a = simt.constant 1 : <s>
  %t = simt.constant 1 : <c>
  %b = simt.inst "mov.i32"(%a) : (!simt.reg<s>) -> !simt.reg<s, 0>
  simt.cond_bra %t : <c>, ^bb1, ^bb2
^bb1:
  %c = simt.inst "mov.i32"(%a) : (!simt.reg<s>) -> !simt.reg<s, 0>
  simt.bra ^bb2
^bb2:
  // expected-error @+1 {{reads register s0, which does not hold its operand any more}}
  %d = simt.inst "mov.i32"(%b) : (!simt.reg<s, 0>) -> !simt.reg<s, 0>
  simt.exit
}

// -----

simt.kernel @k launch "range" parameters [] {
  // expected-error @+1 {{is in a kernel without work-groups}}
  simt.bar ^bb1
^bb1:
  simt.exit
}

// -----

// expected-error @+1 {{has work-groups of 128 threads; a group has a power of two of them, at most 64}}
simt.kernel @k launch "range" parameters [] groups of 128 {
  simt.exit
}
