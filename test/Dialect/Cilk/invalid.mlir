//===- invalid.mlir - What the cilk verifiers refuse ----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --split-input-file --verify-diagnostics %s

llvm.func @f(i32) -> i32
llvm.func @g(%n: i32, %p: !llvm.ptr) {
  // expected-error @+1 {{needs either a callee or a target}}
  "cilk.spawn"(%p, %n) <{callee = @f, operandSegmentSizes = array<i32: 1, 1, 0>, signature = !llvm.func<i32 (i32)>}> : (!llvm.ptr, i32) -> ()
  llvm.return
}

// -----

llvm.func @f(i32) -> i32
llvm.func @g(%n: i32) {
  // expected-error @+1 {{needs either a callee or a target}}
  "cilk.spawn"(%n) <{operandSegmentSizes = array<i32: 0, 1, 0>, signature = !llvm.func<i32 (i32)>}> : (i32) -> ()
  llvm.return
}

// -----

llvm.func @f(i32) -> i32
llvm.func @add(!llvm.ptr, !llvm.ptr)
llvm.func @g(%n: i32) {
  // expected-error @+1 {{has an apply function but no destination}}
  cilk.spawn @f(%n) apply @add : !llvm.func<i32 (i32)>, i32
  llvm.return
}

// -----

llvm.func @f(!llvm.ptr)
llvm.func @g(%p: !llvm.ptr) {
  // expected-error @+1 {{returns a struct through memory and needs an apply function for its destination}}
  cilk.spawn @f(%p) to %p : !llvm.func<void (ptr)>, !llvm.ptr {arg_attrs = [{llvm.sret = !llvm.struct<(i64, i64, i64)>}]}
  llvm.return
}

// -----

llvm.func @f(i32)
llvm.func @g(%n: i32, %p: !llvm.ptr) {
  // expected-error @+1 {{has a destination, but its callee returns nothing}}
  cilk.spawn @f(%n) to %p : !llvm.func<void (i32)>, i32
  llvm.return
}

// -----

llvm.func @f(i32)
llvm.func @g(%n: i32) {
  // expected-error @+1 {{has 2 arguments, but its signature takes 1}}
  cilk.spawn @f(%n, %n) : !llvm.func<void (i32)>, i32, i32
  llvm.return
}

// -----

llvm.func @f(i32, ...)
llvm.func @g() {
  // expected-error @+1 {{has 0 arguments, but its signature takes 1}}
  cilk.spawn @f() : !llvm.func<void (i32, ...)>
  llvm.return
}

// -----

llvm.func @f(i32)
llvm.func @g(%n: i64) {
  // expected-error @+1 {{argument #0 is of type 'i64', but its signature says 'i32'}}
  cilk.spawn @f(%n) : !llvm.func<void (i32)>, i64
  llvm.return
}

// -----

llvm.func @f(i32)
llvm.func @g(%n: i32) {
  // expected-error @+1 {{has 2 argument attributes for 1 arguments}}
  cilk.spawn @f(%n) : !llvm.func<void (i32)>, i32 {arg_attrs = [{}, {}]}
  llvm.return
}

// -----

llvm.mlir.global external @f() : i32
llvm.func @g() {
  // expected-error @+1 {{'f' does not name a function}}
  cilk.spawn @f() : !llvm.func<void ()>
  llvm.return
}

// -----

llvm.func @f() -> i32
llvm.func @g(%p: !llvm.ptr) {
  // expected-error @+1 {{'missing' does not name a function}}
  cilk.spawn @f() to %p apply @missing : !llvm.func<i32 ()>
  llvm.return
}

// -----

llvm.func @f(i32) -> i32
llvm.func @g(%n: i32) {
  // expected-error @+1 {{result does not match the signature's 'i32'}}
  %r = cilk.call @f(%n) : !llvm.func<i32 (i32)>, i32 -> i64
  llvm.return
}

// -----

llvm.func @f(i32)
llvm.func @g(%n: i32) {
  // expected-error @+1 {{result does not match the signature's '!llvm.void'}}
  %r = cilk.call @f(%n) : !llvm.func<void (i32)>, i32 -> i32
  llvm.return
}

// -----

llvm.func @f(i32)
llvm.func @g(%n: i64) {
  // expected-error @+1 {{argument #0 is of type 'i64', but its signature says 'i32'}}
  cilk.call @f(%n) : !llvm.func<void (i32)>, i64
  llvm.return
}

// -----

llvm.func @g() {
  // expected-error @+1 {{'missing' does not name a function}}
  cilk.call @missing() : !llvm.func<void ()>
  llvm.return
}

// -----

// Where they stand, and what they call.

llvm.func @f()
// expected-error @+1 {{expects parent op 'llvm.func'}}
cilk.spawn @f() : !llvm.func<void ()>

// -----

// expected-error @+1 {{expects parent op 'llvm.func'}}
cilk.sync

// -----

llvm.func @f()
// expected-error @+1 {{expects parent op 'llvm.func'}}
cilk.call @f() : !llvm.func<void ()>

// -----

llvm.func @f(i32) -> i32
llvm.func @g(%n: i64) -> i64 {
  // expected-error @+1 {{has a signature other than that of 'f', '!llvm.func<i32 (i32)>'}}
  %r = cilk.call @f(%n) : !llvm.func<i64 (i64)>, i64 -> i64
  llvm.return %r : i64
}

// -----

llvm.func @f() -> i32
llvm.func @add(!llvm.ptr, i32)
llvm.func @g(%p: !llvm.ptr) {
  // expected-error @+1 {{applies 'add' of type '!llvm.func<void (ptr, i32)>', which must be '!llvm.func<void (ptr, ptr)>'}}
  cilk.spawn @f() to %p apply @add : !llvm.func<i32 ()>
  llvm.return
}

// -----

llvm.func @f(i32)
llvm.func @g(%n: i32) {
  // expected-error @+1 {{has 2 argument attributes for 1 arguments}}
  cilk.call @f(%n) : !llvm.func<void (i32)>, i32 {arg_attrs = [{}, {}]}
  llvm.return
}

// -----

llvm.func @f(i32) -> i32
llvm.func @g(%n: i32) {
  // expected-error @+1 {{result does not match the signature's 'i32'}}
  cilk.call @f(%n) : !llvm.func<i32 (i32)>, i32
  llvm.return
}

// -----

llvm.func @f()
llvm.func @g() {
  // expected-error @+1 {{attribute 'signature' failed to satisfy constraint: function type}}
  "cilk.spawn"() <{callee = @f, operandSegmentSizes = array<i32: 0, 0, 0>, signature = i32}> : () -> ()
  llvm.return
}

// -----

llvm.func @g(%n: i64) {
  // expected-error @+1 {{'missing' does not name a function}}
  cilk.for @missing() times %n
  llvm.return
}

// -----

llvm.func @body(i64, i64, i32)
llvm.func @g(%n: i64) {
  // expected-error @+1 {{needs a body of type '!llvm.func<void (i64, i64)>', but 'body' is of type '!llvm.func<void (i64, i64, i32)>'}}
  cilk.for @body() times %n
  llvm.return
}

// -----

llvm.func @body(i64, i64) -> i32
llvm.func @g(%n: i64) {
  // expected-error @+1 {{needs a body of type '!llvm.func<void (i64, i64)>'}}
  cilk.for @body() times %n
  llvm.return
}

// -----

llvm.func @g(%n: i32, %p: !llvm.ptr) {
  // expected-error @+1 {{has a result of a type without a known size, 'vector<i8>'}}
  cilk.spawn %p(%n) : !llvm.func<vector<i8> (i32)>, i32
  llvm.return
}

// -----

llvm.func @f(vector<[4]xi8>)
llvm.func @g(%v: vector<[4]xi8>) {
  // expected-error @+1 {{argument #0 is of a type without a known size, 'vector<[4]xi8>'}}
  cilk.call @f(%v) : !llvm.func<void (vector<[4]xi8>)>, vector<[4]xi8>
  llvm.return
}

// -----

llvm.func @f(!llvm.ptr)
llvm.func @g(%p: !llvm.ptr) {
  // expected-error @+1 {{has a result of a type without a known size, '!llvm.struct<"o", opaque>'}}
  cilk.spawn @f(%p) : !llvm.func<void (ptr)>, !llvm.ptr {arg_attrs = [{llvm.sret = !llvm.struct<"o", opaque>}]}
  llvm.return
}
