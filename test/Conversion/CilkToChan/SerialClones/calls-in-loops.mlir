//===- calls-in-loops.mlir - Plain calls in loops -------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --lower-to-chan=serial-clones %s | FileCheck %s
// RUN: cilk2chan-opt --lower-to-chan=serial-clones %s | FileCheck --check-prefix=CLONE %s

// A function that calls a spawning function in a loop may begin as a clone, which
// polls in front of its spawn. It keeps the clone though all that it begins is in lanes.

// CHECK: chan.stack entry @calls.entry({{.*}}) function @calls serial @calls.serial late_promoting calls_in_loops : !llvm.func<void (i32)>
llvm.func @calls(%n: i32) {
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop(%n : i32)
^loop(%i: i32):
  cilk.call @once(%i) : !llvm.func<void (i32)>, i32
  %less = llvm.sub %i, %one : i32
  %again = llvm.icmp "sgt" %less, %one : i32
  llvm.cond_br %again, ^loop(%less : i32), ^spawn
^spawn:
  cilk.spawn @once(%n) : !llvm.func<void (i32)>, i32
  cilk.sync
  llvm.return
}
// CLONE-LABEL: llvm.func internal @calls.serial(
// CLONE-DAG: llvm.call preserve_mostcc @chan_late_open_if_low.near(
// CLONE-DAG: llvm.call @once.serial(
// CLONE-DAG: llvm.call preserve_mostcc @chan_late_open.near(

// CHECK: chan.stack entry @spawns.entry({{.*}}) function @spawns serial @spawns.serial late_promoting : !llvm.func<void (i32)>{{$}}
llvm.func @spawns(%n: i32) {
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop(%n : i32)
^loop(%i: i32):
  cilk.spawn @once(%i) : !llvm.func<void (i32)>, i32
  %less = llvm.sub %i, %one : i32
  %again = llvm.icmp "sgt" %less, %one : i32
  llvm.cond_br %again, ^loop(%less : i32), ^sync
^sync:
  cilk.sync
  llvm.return
}

// CHECK: chan.stack entry @once.entry({{.*}}) function @once serial @once.serial : !llvm.func<void (i32)>{{$}}
llvm.func @once(%n: i32) {
  cilk.spawn @once(%n) : !llvm.func<void (i32)>, i32
  cilk.sync
  llvm.return
}
