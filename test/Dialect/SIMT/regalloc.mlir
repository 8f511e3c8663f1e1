//===- regalloc.mlir - Values get registers -------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --pass-pipeline='builtin.module(simt.kernel(simt-regalloc))' %s | FileCheck %s
// RUN: cilk2chan-opt --pass-pipeline='builtin.module(simt.kernel(simt-regalloc{registers=8}))' %s | FileCheck %s --check-prefix=FEW

// A register is free again behind the last use. The classes are counted apart.
// CHECK-LABEL: @reuse
// CHECK-SAME: registers [1, 1, 1]
simt.kernel @reuse launch "elements" parameters [] {
  %t = simt.id : <d>
  // CHECK: -> !simt.reg<d, 0>
  %a = simt.inst "add.i64"(%t, %t) : (!simt.reg<d>, !simt.reg<d>) -> !simt.reg<d>
  // CHECK: -> !simt.reg<d, 0>
  %b = simt.inst "add.i64"(%a, %t) : (!simt.reg<d>, !simt.reg<d>) -> !simt.reg<d>
  // CHECK: -> !simt.reg<s, 0>
  %c = simt.inst "trunc.i64.i32"(%b) : (!simt.reg<d>) -> !simt.reg<s>
  // CHECK: -> !simt.reg<c, 0>
  %d = simt.inst "eq.i32"(%c, %c) : (!simt.reg<s>, !simt.reg<s>) -> !simt.reg<c>
  simt.inst "store.i1"(%t, %d) : (!simt.reg<d>, !simt.reg<c>) -> ()
  simt.exit
}

// The counter stays in its register: no move for it.
// CHECK-LABEL: @loop
// CHECK-SAME: registers [1, 0, 1]
simt.kernel @loop launch "elements" parameters [] {
  %one = simt.constant 1 : <s>
  // CHECK: "mov.i32"
  simt.bra ^bb1(%one : !simt.reg<s>)
  // CHECK: ^bb1
  // CHECK-NOT: mov
  // CHECK: simt.exit
^bb1(%i: !simt.reg<s>):
  %j = simt.inst "add.i32"(%i, %one) : (!simt.reg<s>, !simt.reg<s>) -> !simt.reg<s>
  %c = simt.inst "eq.i32"(%j, %one) : (!simt.reg<s>, !simt.reg<s>) -> !simt.reg<c>
  simt.cond_bra %c : <c>, ^bb1(%j : !simt.reg<s>), ^bb2
^bb2:
  simt.exit
}

// Two arguments are exchanged, and a third is rotated with two others. The moves
// are on the way back only.
// CHECK-LABEL: @cycle
simt.kernel @cycle launch "elements" parameters [] {
  %one = simt.constant 1 : <s>
  %two = simt.constant 2 : <s>
  %t = simt.id : <d>
  // CHECK: simt.bra ^bb1(%[[A:.*]], %[[B:.*]] : !simt.reg<s, [[RA:.]]>, !simt.reg<s, [[RB:.]]>)
  simt.bra ^bb1(%one, %two : !simt.reg<s>, !simt.reg<s>)
  // CHECK: ^bb1(%[[X:.*]]: !simt.reg<s, [[RA]]>, %[[Y:.*]]: !simt.reg<s, [[RB]]>)
^bb1(%x: !simt.reg<s>, %y: !simt.reg<s>):
  simt.inst "store.i32"(%t, %x) : (!simt.reg<d>, !simt.reg<s>) -> ()
  %c = simt.inst "eq.i32"(%x, %y) : (!simt.reg<s>, !simt.reg<s>) -> !simt.reg<c>
  // CHECK: simt.cond_bra {{.*}}, ^[[EDGE:bb[0-9]]], ^bb{{[0-9]$}}
  // CHECK: ^[[EDGE]]:
  // CHECK: %[[P:.*]] = simt.inst "xor.i32"(%[[X]], %[[Y]])
  // CHECK: %[[Q:.*]] = simt.inst "xor.i32"(%[[Y]], %[[P]])
  // CHECK: %[[R:.*]] = simt.inst "xor.i32"(%[[P]], %[[Q]])
  // CHECK: simt.bra ^bb1(%[[R]], %[[Q]]
  simt.cond_bra %c : <c>, ^bb1(%y, %x : !simt.reg<s>, !simt.reg<s>), ^bb2
^bb2:
  simt.exit
}

// Eight words are enough for four values of class d. Others go to private memory,
// behind the bytes that the kernel has.
// CHECK-LABEL: @spill
// CHECK-SAME: private 20 registers [0, 5, 0]
// CHECK-NOT: simt.local
// FEW-LABEL: @spill
// FEW-SAME: private 48 registers [0, 4, 0]
// FEW: %[[LOCAL:.*]] = simt.local
// FEW: simt.inst "store.i64"(%[[LOCAL]], %{{.*}}) + 24
// FEW: simt.inst "load.i64"(%[[LOCAL]]) + 24
simt.kernel @spill launch "elements" parameters [] private 20 {
  %t = simt.id : <d>
  %a = simt.inst "load.i64"(%t) : (!simt.reg<d>) -> !simt.reg<d>
  %b = simt.inst "load.i64"(%t) + 8 : (!simt.reg<d>) -> !simt.reg<d>
  %c = simt.inst "load.i64"(%t) + 16 : (!simt.reg<d>) -> !simt.reg<d>
  %d = simt.inst "load.i64"(%t) + 24 : (!simt.reg<d>) -> !simt.reg<d>
  %e = simt.inst "load.i64"(%t) + 32 : (!simt.reg<d>) -> !simt.reg<d>
  simt.inst "store.i64"(%t, %a) + 8 : (!simt.reg<d>, !simt.reg<d>) -> ()
  simt.inst "store.i64"(%t, %b) + 16 : (!simt.reg<d>, !simt.reg<d>) -> ()
  simt.inst "store.i64"(%t, %c) + 24 : (!simt.reg<d>, !simt.reg<d>) -> ()
  simt.inst "store.i64"(%t, %d) + 32 : (!simt.reg<d>, !simt.reg<d>) -> ()
  simt.inst "store.i64"(%t, %e) : (!simt.reg<d>, !simt.reg<d>) -> ()
  simt.exit
}

// An argument in private memory gets its words through a slot of its own: here each
// iteration passes on what the other one was.
// FEW-LABEL: @spilled_arguments
// FEW-SAME: registers [0, 4, {{[0-9]}}]
simt.kernel @spilled_arguments launch "elements" parameters [] {
  %t = simt.id : <d>
  %z = simt.constant 0 : <d>
  simt.bra ^bb1(%t, %t, %t, %t, %t, %t : !simt.reg<d>, !simt.reg<d>, !simt.reg<d>, !simt.reg<d>, !simt.reg<d>, !simt.reg<d>)
^bb1(%a: !simt.reg<d>, %b: !simt.reg<d>, %c: !simt.reg<d>, %d: !simt.reg<d>, %e: !simt.reg<d>, %f: !simt.reg<d>):
  %s = simt.inst "eq.i64"(%a, %z) : (!simt.reg<d>, !simt.reg<d>) -> !simt.reg<c>
  simt.cond_bra %s : <c>, ^bb1(%b, %c, %d, %e, %f, %a : !simt.reg<d>, !simt.reg<d>, !simt.reg<d>, !simt.reg<d>, !simt.reg<d>, !simt.reg<d>), ^bb2
^bb2:
  simt.exit
}

// What needs no register to be computed is computed again, and not stored.
// FEW-LABEL: @cheap
// FEW-SAME: parameters [] registers [0, 4, 0]
// FEW-NOT: "load.i64"(%{{.*}}) + {{[0-9]}}
// FEW: simt.exit
simt.kernel @cheap launch "elements" parameters [] {
  %t = simt.id : <d>
  %a = simt.inst "add.i64"(%t, %t) : (!simt.reg<d>, !simt.reg<d>) -> !simt.reg<d>
  %b = simt.inst "mul.i64"(%t, %t) : (!simt.reg<d>, !simt.reg<d>) -> !simt.reg<d>
  %c = simt.inst "sub.i64"(%t, %t) : (!simt.reg<d>, !simt.reg<d>) -> !simt.reg<d>
  %d = simt.inst "and.i64"(%t, %t) : (!simt.reg<d>, !simt.reg<d>) -> !simt.reg<d>
  %e = simt.inst "or.i64"(%t, %t) : (!simt.reg<d>, !simt.reg<d>) -> !simt.reg<d>
  simt.inst "store.i64"(%t, %e) : (!simt.reg<d>, !simt.reg<d>) -> ()
  simt.inst "store.i64"(%t, %d) : (!simt.reg<d>, !simt.reg<d>) -> ()
  simt.inst "store.i64"(%t, %c) : (!simt.reg<d>, !simt.reg<d>) -> ()
  simt.inst "store.i64"(%t, %b) : (!simt.reg<d>, !simt.reg<d>) -> ()
  simt.inst "store.i64"(%t, %a) : (!simt.reg<d>, !simt.reg<d>) -> ()
  simt.exit
}
