//===- not-arrays.mlir - Arrays that stay where they are ------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --cilk-arrays-by-value %s | FileCheck %s
// All of them are as this one, but for one thing.
// RUN: sed -e 's/@effect/@plain/g; /call @keep(%given)/d' %s | cilk2chan-opt --cilk-arrays-by-value | FileCheck --check-prefix=PLAIN %s
// PLAIN: @plain.byval

// CHECK-NOT: {{[.](values|whole)}}

llvm.func @keep(!llvm.ptr)

// Somebody else knows the array.
llvm.func @escapes(%n: i64, %given: !llvm.ptr) -> i32 {
  %one = llvm.mlir.constant(1 : i64) : i64
  %slot = llvm.alloca %one x i32 : (i64) -> !llvm.ptr
  %size = llvm.add %n, %one : i64
  %own = llvm.alloca %size x i8 : (i64) -> !llvm.ptr
  %byte = llvm.load %given : !llvm.ptr -> i8
  llvm.store %byte, %own : i8, !llvm.ptr
  llvm.call @keep(%own) : (!llvm.ptr) -> ()
  cilk.spawn @escapes(%n, %own) to %slot : !llvm.func<i32 (i64, ptr)>, i64, !llvm.ptr
  cilk.sync
  %sum = llvm.load %slot : !llvm.ptr -> i32
  llvm.return %sum : i32
}

// The child writes to what it is given, and the array is passed by address.
llvm.func @written(%n: i64, %given: !llvm.ptr) -> i32 {
  %one = llvm.mlir.constant(1 : i64) : i64
  %slot = llvm.alloca %one x i32 : (i64) -> !llvm.ptr
  %size = llvm.add %n, %one : i64
  %own = llvm.alloca %size x i8 : (i64) -> !llvm.ptr
  %byte = llvm.load %given : !llvm.ptr -> i8
  llvm.store %byte, %own : i8, !llvm.ptr
  llvm.store %byte, %given : i8, !llvm.ptr
  cilk.spawn @written(%n, %own) to %slot : !llvm.func<i32 (i64, ptr)>, i64, !llvm.ptr
  cilk.sync
  %sum = llvm.load %slot : !llvm.ptr -> i32
  llvm.return %sum : i32
}

// Its parts are of two sizes.
llvm.func @parts(%n: i64, %given: !llvm.ptr) -> i32 {
  %one = llvm.mlir.constant(1 : i64) : i64
  %slot = llvm.alloca %one x i32 : (i64) -> !llvm.ptr
  %size = llvm.add %n, %one : i64
  %own = llvm.alloca %size x i8 : (i64) -> !llvm.ptr
  %byte = llvm.load %given : !llvm.ptr -> i8
  llvm.store %byte, %own : i8, !llvm.ptr
  %word = llvm.load %own : !llvm.ptr -> i32
  cilk.spawn @parts(%n, %own) to %slot : !llvm.func<i32 (i64, ptr)>, i64, !llvm.ptr
  cilk.sync
  %sum = llvm.load %slot : !llvm.ptr -> i32
  llvm.return %sum : i32
}

// Nobody knows its size in advance.
llvm.func @unknown(%n: i64, %given: !llvm.ptr) -> i32 {
  %one = llvm.mlir.constant(1 : i64) : i64
  %slot = llvm.alloca %one x i32 : (i64) -> !llvm.ptr
  %long = llvm.load %given : !llvm.ptr -> i64
  %size = llvm.add %long, %one : i64
  %own = llvm.alloca %size x i8 : (i64) -> !llvm.ptr
  %byte = llvm.load %given : !llvm.ptr -> i8
  llvm.store %byte, %own : i8, !llvm.ptr
  cilk.spawn @unknown(%n, %own) to %slot : !llvm.func<i32 (i64, ptr)>, i64, !llvm.ptr
  cilk.sync
  %sum = llvm.load %slot : !llvm.ptr -> i32
  llvm.return %sum : i32
}

// The function has had an effect before its size matters.
llvm.func @effect(%n: i64, %given: !llvm.ptr) -> i32 {
  %one = llvm.mlir.constant(1 : i64) : i64
  %slot = llvm.alloca %one x i32 : (i64) -> !llvm.ptr
  llvm.call @keep(%given) : (!llvm.ptr) -> ()
  %size = llvm.add %n, %one : i64
  %own = llvm.alloca %size x i8 : (i64) -> !llvm.ptr
  %byte = llvm.load %given : !llvm.ptr -> i8
  llvm.store %byte, %own : i8, !llvm.ptr
  cilk.spawn @effect(%n, %own) to %slot : !llvm.func<i32 (i64, ptr)>, i64, !llvm.ptr
  cilk.sync
  %sum = llvm.load %slot : !llvm.ptr -> i32
  llvm.return %sum : i32
}

// It is volatile.
llvm.func @volatile(%n: i64, %given: !llvm.ptr) -> i32 {
  %one = llvm.mlir.constant(1 : i64) : i64
  %slot = llvm.alloca %one x i32 : (i64) -> !llvm.ptr
  %size = llvm.add %n, %one : i64
  %own = llvm.alloca %size x i8 : (i64) -> !llvm.ptr
  %byte = llvm.load %given : !llvm.ptr -> i8
  llvm.store %byte, %own : i8, !llvm.ptr
  %twice = llvm.load volatile %own : !llvm.ptr -> i8
  cilk.spawn @volatile(%n, %own) to %slot : !llvm.func<i32 (i64, ptr)>, i64, !llvm.ptr
  cilk.sync
  %sum = llvm.load %slot : !llvm.ptr -> i32
  llvm.return %sum : i32
}

// It spawns another function, too.
llvm.func @other(%n: i64, %given: !llvm.ptr) -> i32 {
  %one = llvm.mlir.constant(1 : i64) : i64
  %slot = llvm.alloca %one x i32 : (i64) -> !llvm.ptr
  %size = llvm.add %n, %one : i64
  %own = llvm.alloca %size x i8 : (i64) -> !llvm.ptr
  %byte = llvm.load %given : !llvm.ptr -> i8
  llvm.store %byte, %own : i8, !llvm.ptr
  cilk.spawn @other(%n, %own) to %slot : !llvm.func<i32 (i64, ptr)>, i64, !llvm.ptr
  cilk.spawn @keep(%given) : !llvm.func<void (ptr)>, !llvm.ptr
  cilk.sync
  %sum = llvm.load %slot : !llvm.ptr -> i32
  llvm.return %sum : i32
}

// There is more of it than lanes pass.
llvm.func @large(%n: i64, %given: !llvm.ptr) -> i32 {
  %one = llvm.mlir.constant(1 : i64) : i64
  %slot = llvm.alloca %one x i32 : (i64) -> !llvm.ptr
  %size = llvm.mlir.constant(65 : i64) : i64
  %own = llvm.alloca %size x i8 : (i64) -> !llvm.ptr
  %byte = llvm.load %given : !llvm.ptr -> i8
  llvm.store %byte, %own : i8, !llvm.ptr
  cilk.spawn @large(%n, %own) to %slot : !llvm.func<i32 (i64, ptr)>, i64, !llvm.ptr
  cilk.sync
  %sum = llvm.load %slot : !llvm.ptr -> i32
  llvm.return %sum : i32
}

// Another definition may take its place.
llvm.func weak @weak(%n: i64, %given: !llvm.ptr) -> i32 {
  %one = llvm.mlir.constant(1 : i64) : i64
  %slot = llvm.alloca %one x i32 : (i64) -> !llvm.ptr
  %size = llvm.add %n, %one : i64
  %own = llvm.alloca %size x i8 : (i64) -> !llvm.ptr
  %byte = llvm.load %given : !llvm.ptr -> i8
  llvm.store %byte, %own : i8, !llvm.ptr
  cilk.spawn @weak(%n, %own) to %slot : !llvm.func<i32 (i64, ptr)>, i64, !llvm.ptr
  cilk.sync
  %sum = llvm.load %slot : !llvm.ptr -> i32
  llvm.return %sum : i32
}
