//===- ops.mlir - Each simt operation, there and back ---------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt %s | FileCheck %s
// RUN: cilk2chan-opt --verify-roundtrip %s -o /dev/null
// RUN: cilk2chan-opt --mlir-print-op-generic %s | cilk2chan-opt | FileCheck %s
// RUN: cilk2chan-opt --emit-bytecode %s | cilk2chan-opt | FileCheck %s

// CHECK: simt.kernel @k consumes "fib.0" launch "range" source "fib" parameters [#vgiw.binding<capture, 2>] private 64 {
simt.kernel @k consumes "fib.0" launch "range" source "fib" parameters [#vgiw.binding<capture, 2>] private 64 {
  // CHECK: simt.constant 5 : <s>
  %five = simt.constant 5 : <s>
  // CHECK: simt.symbol "table" + 8 : <d>
  %table = simt.symbol "table" + 8 : <d>
  // CHECK: simt.parameter 0 : <d>
  %p = simt.parameter 0 : <d>
  // CHECK: simt.id : <d>
  %id = simt.id : <d>
  // CHECK: simt.local : <d>
  %local = simt.local : <d>
  // CHECK: simt.inst "load.i32"(%{{.*}}) + 8 : (!simt.reg<d>) -> !simt.reg<s>
  %a = simt.inst "load.i32"(%p) + 8 : (!simt.reg<d>) -> !simt.reg<s>
  // CHECK: simt.inst "slt.i32"(%{{.*}}, %{{.*}}) uniform : (!simt.reg<s>, !simt.reg<s>) -> !simt.reg<c>
  %c = simt.inst "slt.i32"(%a, %five) uniform : (!simt.reg<s>, !simt.reg<s>) -> !simt.reg<c>
  // CHECK: simt.inst "syscall"(%{{.*}}) calls "thunk" : (!simt.reg<d>) -> ()
  simt.inst "syscall"(%local) calls "thunk" : (!simt.reg<d>) -> ()
  // CHECK: simt.cond_bra %{{.*}} : <c>, ^bb1(%{{.*}} : !simt.reg<s>), ^bb2 uniform reconverge 2 wait
  simt.cond_bra %c : <c>, ^bb1(%a : !simt.reg<s>), ^bb2 uniform reconverge 2 wait
^bb1(%x: !simt.reg<s>):
  // CHECK: simt.yield ^bb1(%{{.*}} : !simt.reg<s>)
  simt.yield ^bb1(%x : !simt.reg<s>)
^bb2:
  // CHECK: simt.bra ^bb3
  simt.bra ^bb3
^bb3:
  // CHECK: simt.exit unreachable
  simt.exit unreachable
}

// CHECK-LABEL: simt.kernel @groups
// CHECK-SAME: parameters [#vgiw.binding<group>] groups of 16 memory 1024 {
simt.kernel @groups launch "range" parameters [#vgiw.binding<group>] groups of 16 memory 1024 {
  %a = simt.constant 1 : <s>
  // CHECK: simt.bar ^bb1(%{{.*}} : !simt.reg<s>)
  simt.bar ^bb1(%a : !simt.reg<s>)
^bb1(%x: !simt.reg<s>):
  // CHECK: simt.bar ^bb2
  simt.bar ^bb2
^bb2:
  simt.exit
}

// CHECK: registers [1, 0, 0] {
simt.kernel @registers launch "elements" parameters [] registers [1, 0, 0] {
  %five = simt.constant 5 : <s>
  // CHECK: -> !simt.reg<s, 0>
  %a = simt.inst "mov.i32"(%five) : (!simt.reg<s>) -> !simt.reg<s, 0>
  simt.exit
}
