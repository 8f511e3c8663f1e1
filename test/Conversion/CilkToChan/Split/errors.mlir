//===- errors.mlir - What cannot be split ---------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --lower-to-chan --split-input-file --verify-diagnostics %s

llvm.func @work()

// expected-error @+1 {{a spawning function cannot be variadic}}
llvm.func @f(%n: i32, ...) {
  cilk.spawn @work() : !llvm.func<void ()>
  llvm.return
}

// -----

llvm.func @work()
llvm.func @__gxx_personality_v0(...) -> i32

llvm.func @f() attributes {personality = @__gxx_personality_v0} {
  cilk.spawn @work() : !llvm.func<void ()>
  // expected-error @+1 {{not supported in a spawning function: llvm.invoke}}
  llvm.invoke @work() to ^ok unwind ^bad : () -> ()
^ok:
  llvm.return
^bad:
  %l = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>
  llvm.return
}

// -----

llvm.func @work()

llvm.func @f(%to: !llvm.ptr) {
  cilk.spawn @work() : !llvm.func<void ()>
  // expected-error @+1 {{not supported in a spawning function: llvm.indirectbr}}
  llvm.indirectbr %to : !llvm.ptr, [
  ^a,
  ^b
  ]
^a:
  llvm.return
^b:
  llvm.return
}

// -----

llvm.func @work()

llvm.func @f() -> !llvm.ptr {
  cilk.spawn @work() : !llvm.func<void ()>
  llvm.br ^a
^a:
  // expected-error @+1 {{not supported in a spawning function: llvm.blocktag}}
  llvm.blocktag <id = 0>
  %to = llvm.blockaddress <function = @f, tag = <id = 0>> : !llvm.ptr
  llvm.return %to : !llvm.ptr
}

// -----

llvm.func @work()

llvm.func @f() {
  cilk.spawn @work() : !llvm.func<void ()>
  // expected-error @+1 {{a spawning function cannot end in a musttail call}}
  llvm.call musttail @work() : () -> ()
  llvm.return
}

// -----

llvm.func @work()

llvm.func @f(%n: i32) -> i32 {
  // expected-error @+1 {{not supported in a spawning function: a value across a sync or call without a known size, a vector of 1 elements, each an integer of 8 bits}}
  %v = builtin.unrealized_conversion_cast %n : i32 to vector<i8>
  cilk.spawn @work() : !llvm.func<void ()>
  cilk.sync
  %m = builtin.unrealized_conversion_cast %v : vector<i8> to i32
  llvm.return %m : i32
}

// -----

llvm.func @work()

// expected-error @+1 {{not supported in a spawning function: a parameter without a known size, a value of type '!llvm.target<"t">'}}
llvm.func @f(%t: !llvm.target<"t">) {
  cilk.spawn @work() : !llvm.func<void ()>
  llvm.return
}

// -----

llvm.func @work()

// expected-error @+1 {{not supported in a spawning function: a result without a known size, an integer of 0 bits}}
llvm.func @f() -> i0 {
  cilk.spawn @work() : !llvm.func<void ()>
  cilk.sync
  %z = llvm.mlir.poison : i0
  llvm.return %z : i0
}

// -----

llvm.func @work()

llvm.func @f(%n: i64) {
  // expected-error @+1 {{not supported in a spawning function: an alloca without a known size, an array}}
  %a = llvm.alloca %n x !llvm.array<2 x vector<[4]xi8>> : (i64) -> !llvm.ptr
  cilk.spawn @work() : !llvm.func<void ()>
  llvm.return
}
