//===- batch-remarks.mlir - Which functions have no batch form ------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --lower-to-chan="batch-forms reductions=0" --remark-policy=all --remarks-filter=chan-batch %s 2>&1 | FileCheck --implicit-check-not='chan.pend' %s

llvm.func @other() -> i32
llvm.func @__cilk_apply.0(!llvm.ptr, !llvm.ptr)

// CHECK: 'replaceable' has no batch form: another definition may take its place
llvm.func weak @replaceable() {
  cilk.spawn @replaceable() : !llvm.func<void ()>
  llvm.return
}

// CHECK: 'structure' has no batch form: a struct is passed by value
llvm.func @structure(%s: !llvm.ptr {llvm.byval = !llvm.array<8 x i8>}) {
  cilk.spawn @structure(%s) : !llvm.func<void (ptr)>, !llvm.ptr {arg_attrs = [{llvm.byval = !llvm.array<8 x i8>}]}
  llvm.return
}

// CHECK: 'again' has no batch form: there is a sync in a loop
llvm.func @again(%b: i1) {
  llvm.br ^loop
^loop:
  cilk.spawn @again(%b) : !llvm.func<void (i1)>, i1
  cilk.sync
  llvm.cond_br %b, ^loop, ^end
^end:
  llvm.return
}

// CHECK: :[[#@LINE+2]]:{{.*}}'dynamic' has no batch form: it allocates memory of a size known at run time; arrays of a constant size may be in lanes
llvm.func @dynamic(%n: i32) {
  %p = llvm.alloca %n x i8 : (i32) -> !llvm.ptr
  cilk.spawn @dynamic(%n) : !llvm.func<void (i32)>, i32
  cilk.sync
  llvm.return
}

// CHECK: 'aligned' has no batch form: a local object is aligned beyond 64 bytes
llvm.func @use(!llvm.ptr)
llvm.func @aligned(%n: i32) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %p = llvm.alloca %one x i8 {alignment = 128 : i64} : (i32) -> !llvm.ptr
  llvm.call @use(%p) : (!llvm.ptr) -> ()
  cilk.spawn @aligned(%n) : !llvm.func<void (i32)>, i32
  cilk.sync
  llvm.return
}

// CHECK: :[[#@LINE+2]]:{{.*}}'elsewhere' has no batch form: it spawns 'other', which does not spawn itself; a plain call of it may be in lanes
llvm.func @elsewhere() {
  cilk.spawn @other() : !llvm.func<i32 ()>
  llvm.return
}

// CHECK: :[[#@LINE+4]]:{{.*}}'assigned' has no batch form: what assigns the result of 'assigned' is not known
llvm.func @assigned() -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  cilk.spawn @assigned() to %x apply @__cilk_apply.0 : !llvm.func<i32 ()>
  cilk.sync
  %r = llvm.load %x : !llvm.ptr -> i32
  llvm.return %r : i32
}

// CHECK: :[[#@LINE+3]]:{{.*}}'two' has no batch form: it spawns or calls more than one function that spawns, 'two' and 'structure_free'
llvm.func @two() {
  cilk.spawn @two() : !llvm.func<void ()>
  cilk.spawn @structure_free() : !llvm.func<void ()>
  llvm.return
}

// CHECK: 'leaf' has no batch form: it does not spawn
llvm.func @leaf() attributes {cilk.spawning} {
  cilk.sync
  llvm.return
}

// CHECK: :[[#@LINE+2]]:{{.*}}'structure_free' has no batch form: 'two', which it spawns, has none
llvm.func @structure_free() {
  cilk.spawn @two() : !llvm.func<void ()>
  llvm.return
}
