//===- invalid.mlir - What the vgiw verifiers refuse ----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --split-input-file --verify-diagnostics %s

vgiw.kernel @k graph parameters [] {
  %t = vgiw.initiate
  // expected-error @+1 {{'add' has 2 operands, not 1}}
  %a = vgiw.compute add %t : (i64) -> i64
  vgiw.exit
}

// -----

vgiw.kernel @k graph parameters [] {
  %t = vgiw.initiate
  %c = vgiw.constant 1 : i32
  // expected-error @+1 {{has operands of types 'i64' and 'i32'}}
  %a = vgiw.compute add %t, %c : (i64, i32) -> i64
  vgiw.exit
}

// -----

vgiw.kernel @k graph parameters [] {
  %t = vgiw.initiate
  // expected-error @+1 {{has operands of type 'i64' and a result of type 'i64'}}
  %a = vgiw.compute eq %t, %t : (i64, i64) -> i64
  vgiw.exit
}

// -----

vgiw.kernel @k graph parameters [] {
  %t = vgiw.initiate
  // expected-error @+1 {{selects by a word that is no i1}}
  %a = vgiw.compute select %t, %t, %t : (i64, i64, i64) -> i64
  vgiw.exit
}

// -----

vgiw.kernel @k graph parameters [] {
  %t = vgiw.initiate
  // expected-error @+1 {{moves a word to one of another size}}
  %a = vgiw.compute mov %t : (i64) -> f32
  vgiw.exit
}

// -----

vgiw.kernel @k graph parameters [] {
  %t = vgiw.initiate
  %b = vgiw.compute trunc %t : (i64) -> i8
  // expected-error @+1 {{moves a word to one of another size}}
  %a = vgiw.compute mov %b : (i8) -> i1
  vgiw.exit
}

// -----

vgiw.kernel @k graph parameters [] {
  %t = vgiw.initiate
  // expected-error @+1 {{is 'trunc.i64.f32', which no unit does}}
  %a = vgiw.compute trunc %t : (i64) -> f32
  vgiw.exit
}

// -----

vgiw.kernel @k graph parameters [] {
  %t = vgiw.initiate
  // expected-error @+1 {{is 'zext.i64.i64', which no unit does}}
  %a = vgiw.compute zext %t : (i64) -> i64
  vgiw.exit
}

// -----

vgiw.kernel @k graph parameters [] {
  %t = vgiw.initiate
  // expected-error @+1 {{is 'fadd.i64', which no unit does}}
  %a = vgiw.compute fadd %t, %t : (i64, i64) -> i64
  vgiw.exit
}

// -----

vgiw.kernel @k graph parameters [] {
  // expected-error @+1 {{is 'add', which no unit does}}
  %a = "vgiw.compute"() {opcode = 1 : i32} : () -> i64
  vgiw.exit
}

// -----

vgiw.kernel @k graph parameters [] {
  %t = vgiw.initiate
  %c = vgiw.constant 1.0 : f32
  // expected-error @+1 {{is 'atomic_add.f32', which no unit does}}
  %a = vgiw.atomic add %c to %t : f32
  vgiw.exit
}

// -----

vgiw.kernel @k graph parameters [] {
  // expected-error @+1 {{is parameter 0 of a kernel with 0}}
  %p = vgiw.parameter 0 : i64
  vgiw.exit
}

// -----

// expected-error @+1 {{has a block without a vgiw terminator}}
vgiw.kernel @k graph parameters [] {
  %t = vgiw.initiate
  llvm.return
}

// -----

// expected-error @+1 {{has an entry block with arguments}}
vgiw.kernel @k graph parameters [] {
^entry(%a: i64):
  vgiw.exit
}

// -----

vgiw.kernel @k live parameters [] {
  %t = vgiw.initiate
  vgiw.branch ^next
^next:
  // expected-error @+1 {{uses a value of another block}}
  %a = vgiw.compute add %t, %t : (i64, i64) -> i64
  vgiw.exit
}

// -----

vgiw.kernel @k live parameters [] {
  %t = vgiw.initiate
  vgiw.branch ^next(%t : i64)
^next(%a: i64):
  // expected-error @+1 {{is in a block with arguments}}
  vgiw.exit
}

// -----

vgiw.kernel @k live parameters [] live_values 1 {
  %t = vgiw.initiate
  // expected-error @+1 {{names live value 1, but the kernel has 1}}
  %s = vgiw.live_store %t to 1 : i64
  vgiw.exit
}

// -----

vgiw.kernel @k live parameters [] live_values 1 {
  %t = vgiw.initiate
  // expected-error @+1 {{names live value 1, but the kernel has 1}}
  %v = vgiw.live_load 1 -> i64
  vgiw.exit
}

// -----

vgiw.kernel @k live parameters [] live_values 1 {
  %t = vgiw.initiate
  %c = vgiw.compute trunc %t : (i64) -> i1
  vgiw.cond_branch %c, ^stored, ^join
^stored:
  %u = vgiw.initiate
  %s = vgiw.live_store %u to 0 : i64
  vgiw.branch ^join
^join:
  // expected-error @+1 {{loads live value 0, which not every path has stored}}
  %v = vgiw.live_load 0 -> i64
  vgiw.exit
}

// -----

vgiw.kernel @k fitted parameters [] {
  %c = vgiw.constant 1 : i64
  // expected-error @+1 {{ends a block that has not one vgiw.initiate}}
  vgiw.exit after %c : i64
}

// -----

vgiw.kernel @k fitted parameters [#vgiw.binding<argument>] {
  %t = vgiw.initiate
  %p = vgiw.parameter 0 : i64
  // expected-error @+1 {{waits for no token and so never fires}}
  %a = vgiw.load %p -> i64
  vgiw.exit after %a, %t : i64, i64
}

// -----

vgiw.kernel @k fitted parameters [] {
  %t = vgiw.initiate
  // expected-error @+1 {{waits for 4 tokens; an entry of a token buffer holds 3}}
  vgiw.exit after %t, %t, %t, %t : i64, i64, i64, i64
}

// -----

vgiw.kernel @k fitted parameters [] {
  %t = vgiw.initiate
  // expected-error @+1 {{does not lead to the block's terminator}}
  %a = vgiw.load %t -> i64
  vgiw.exit after %t : i64
}

// -----

vgiw.kernel @k graph parameters [] {
  %t = vgiw.initiate
  // expected-error @+1 {{scales its index by 12, which is no power of two up to 32768}}
  %a = vgiw.load %t[%t : i64 * 12] -> f32
  vgiw.exit
}

// -----

vgiw.kernel @k graph parameters [] {
  %t = vgiw.initiate
  // expected-error @+1 {{scales its index by 65536, which is no power of two up to 32768}}
  %a = vgiw.store %t to %t[%t : i64 * 65536] : i64
  vgiw.exit
}

// -----

vgiw.kernel @k graph parameters [] {
  %t = vgiw.initiate
  // expected-error @+1 {{extends an index of 64 bits}}
  %a = vgiw.atomic add %t to %t[%t : i64 zext * 1] : i64
  vgiw.exit
}

// -----

vgiw.kernel @k graph parameters [] {
  %t = vgiw.initiate
  // expected-error @+1 {{scales or extends an index, and has none}}
  %a = "vgiw.load"(%t) <{scale = 4 : i64, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i64) -> f32
  vgiw.exit
}

// -----

vgiw.kernel @k graph parameters [] {
  %t = vgiw.initiate
  %i = vgiw.compute trunc %t : (i64) -> i16
  // expected-error @+1 {{operand #1 must be 32-bit signless integer or 64-bit signless integer}}
  %a = vgiw.load %t[%i : i16 * 2] -> f32
  vgiw.exit
}

// -----

vgiw.kernel @k graph parameters [] {
  // expected-error @+1 {{is in a kernel without work-groups}}
  vgiw.barrier ^bb1
^bb1:
  vgiw.exit
}

// -----

// expected-error @+1 {{has work-groups of 128 threads; a group has a power of two of them, at most 64}}
vgiw.kernel @k graph parameters [] groups of 128 {
  vgiw.exit
}

// -----

// expected-error @+1 {{has work-groups of 12 threads; a group has a power of two of them, at most 64}}
vgiw.kernel @k graph parameters [] groups of 12 memory 64 {
  vgiw.exit
}

// -----

// expected-error @+1 {{computes parameter 0 by no operation}}
vgiw.kernel @k graph parameters [#vgiw.binding<computed>] {
  vgiw.exit
}

// -----

// expected-error @+1 {{binds parameter 0 by an operation, but not as 'computed'}}
vgiw.kernel @k graph parameters [#vgiw.binding<level by "add.i64" [1, 2]>] {
  vgiw.exit
}

// -----

// expected-error @+1 {{computes parameter 0 by 'sdiv.i64', which is no operation of compute units}}
vgiw.kernel @k graph parameters [#vgiw.binding<computed by "sdiv.i64" [1, 2]>] {
  vgiw.exit
}

// -----

// expected-error @+1 {{computes parameter 0 by 'add.i64', which has 2 operands, of 1}}
vgiw.kernel @k graph parameters [#vgiw.binding<computed by "add.i64" [1]>] {
  vgiw.exit
}

// -----

// expected-error @+1 {{computes parameter 1 from parameter 1, which is no earlier one}}
vgiw.kernel @k graph parameters [#vgiw.binding<argument>, #vgiw.binding<computed by "add.i64" [1 : index, 2]>] {
  vgiw.exit
}

// -----

// expected-error @+1 {{computes parameter 0 by 'add.i32', whose operand 1 has 32 bits}}
vgiw.kernel @k graph parameters [#vgiw.binding<computed by "add.i32" [1 : i32, 2]>] {
  vgiw.exit
}
