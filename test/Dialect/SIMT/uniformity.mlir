//===- uniformity.mlir - What all threads of a warp have in common --------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --pass-pipeline='builtin.module(simt.kernel(simt-uniformity))' %s | FileCheck %s

// Parameters are the same for all; what depends on the thread or on memory is not.
// CHECK-LABEL: @operands
simt.kernel @operands launch "elements" parameters [#vgiw.binding<argument>] {
  %p = simt.parameter 0 : <d>
  %t = simt.id : <d>
  // CHECK: "add.i64"(%{{.*}}) uniform
  %a = simt.inst "add.i64"(%p, %p) : (!simt.reg<d>, !simt.reg<d>) -> !simt.reg<d>
  // CHECK: "add.i64"(%{{.*}}) :
  %b = simt.inst "add.i64"(%a, %t) : (!simt.reg<d>, !simt.reg<d>) -> !simt.reg<d>
  // CHECK: "load.i64"(%{{.*}}) :
  %l = simt.inst "load.i64"(%p) : (!simt.reg<d>) -> !simt.reg<d>
  // CHECK: "eq.i64"(%{{.*}}) uniform
  %c = simt.inst "eq.i64"(%a, %p) : (!simt.reg<d>, !simt.reg<d>) -> !simt.reg<c>
  // CHECK: simt.cond_bra {{.*}} uniform
  simt.cond_bra %c : <c>, ^bb1, ^bb2
^bb1:
  // CHECK: "eq.i64"(%{{.*}}) :
  %d = simt.inst "eq.i64"(%l, %p) : (!simt.reg<d>, !simt.reg<d>) -> !simt.reg<c>
  // CHECK: simt.cond_bra
  // CHECK-NOT: uniform
  // CHECK: simt.exit
  simt.cond_bra %d : <c>, ^bb2, ^bb2
^bb2:
  simt.exit
}

// At the end of a divergent branch, what was chosen is divergent; what does not
// depend on the way is not.
// CHECK-LABEL: @join
simt.kernel @join launch "elements" parameters [#vgiw.binding<argument>] {
  %p = simt.parameter 0 : <d>
  %t = simt.id : <d>
  %c = simt.inst "eq.i64"(%t, %p) : (!simt.reg<d>, !simt.reg<d>) -> !simt.reg<c>
  %a = simt.inst "mov.i64"(%p) : (!simt.reg<d>) -> !simt.reg<d>
  simt.cond_bra %c : <c>, ^bb1, ^bb2(%p : !simt.reg<d>)
^bb1:
  simt.bra ^bb2(%a : !simt.reg<d>)
^bb2(%x: !simt.reg<d>):
  // CHECK: {{^ *}}^bb2
  // CHECK-NEXT: "mov.i64"(%{{.*}}) :
  %y = simt.inst "mov.i64"(%x) : (!simt.reg<d>) -> !simt.reg<d>
  // CHECK-NEXT: "mov.i64"(%{{.*}}) uniform
  %z = simt.inst "mov.i64"(%a) : (!simt.reg<d>) -> !simt.reg<d>
  simt.exit
}

// A loop whose count is a parameter: its counter is the same for all.
// CHECK-LABEL: @uniform_loop
simt.kernel @uniform_loop launch "elements" parameters [#vgiw.binding<argument>] {
  %p = simt.parameter 0 : <d>
  %one = simt.constant 1 : <d>
  simt.bra ^bb1(%one : !simt.reg<d>)
^bb1(%i: !simt.reg<d>):
  // CHECK: "add.i64"(%{{.*}}) uniform
  %j = simt.inst "add.i64"(%i, %one) : (!simt.reg<d>, !simt.reg<d>) -> !simt.reg<d>
  %c = simt.inst "slt.i64"(%j, %p) : (!simt.reg<d>, !simt.reg<d>) -> !simt.reg<c>
  // CHECK: simt.cond_bra {{.*}} uniform
  simt.cond_bra %c : <c>, ^bb1(%j : !simt.reg<d>), ^bb2
^bb2:
  // CHECK: {{^ *}}^bb2
  // CHECK-NEXT: "mov.i64"(%{{.*}}) uniform
  %k = simt.inst "mov.i64"(%j) : (!simt.reg<d>) -> !simt.reg<d>
  simt.exit
}

// Threads leave the loop in different iterations: behind it they have different
// counts.
// CHECK-LABEL: @divergent_loop
simt.kernel @divergent_loop launch "elements" parameters [] {
  %t = simt.id : <d>
  %one = simt.constant 1 : <d>
  simt.bra ^bb1(%one : !simt.reg<d>)
^bb1(%i: !simt.reg<d>):
  %j = simt.inst "add.i64"(%i, %one) : (!simt.reg<d>, !simt.reg<d>) -> !simt.reg<d>
  %c = simt.inst "slt.i64"(%j, %t) : (!simt.reg<d>, !simt.reg<d>) -> !simt.reg<c>
  simt.cond_bra %c : <c>, ^bb1(%j : !simt.reg<d>), ^bb2
^bb2:
  // CHECK: {{^ *}}^bb2
  // CHECK-NEXT: "mov.i64"(%{{.*}}) :
  %k = simt.inst "mov.i64"(%j) : (!simt.reg<d>) -> !simt.reg<d>
  simt.exit
}

// Threads that yield go on with others, which may be in another iteration.
// CHECK-LABEL: @yields
simt.kernel @yields launch "elements" parameters [#vgiw.binding<argument>] {
  %p = simt.parameter 0 : <d>
  %one = simt.constant 1 : <d>
  simt.bra ^bb1(%one : !simt.reg<d>)
^bb1(%i: !simt.reg<d>):
  // CHECK: "add.i64"(%{{.*}}) :
  %j = simt.inst "add.i64"(%i, %one) : (!simt.reg<d>, !simt.reg<d>) -> !simt.reg<d>
  simt.yield ^bb1(%j : !simt.reg<d>)
}
