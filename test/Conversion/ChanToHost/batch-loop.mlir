//===- batch-loop.mlir - A kernel is a loop over elements -----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --chan-to-host %s | FileCheck %s

module attributes {dlti.dl_spec = #dlti.dl_spec<i32 = dense<32> : vector<2xi64>, i64 = dense<64> : vector<2xi64>>} {
llvm.func @f(i32)
chan.stack entry @s(n: i32, x: i64)

chan.kernel @k consumes @s frame 0 source @f {
  %e = chan.deq : <@s>
  %one = llvm.mlir.constant(1 : i32) : i32
  %object = llvm.alloca %one x i64 : (i32) -> !llvm.ptr
  %n = chan.get "n" of %e : <@s> -> i32
  %x = chan.get "x" of %e : <@s> -> i64
  chan.tfree %e : <@s>
  llvm.store %x, %object : i64, !llvm.ptr
  %zero = llvm.mlir.constant(0 : i32) : i32
  %c = llvm.icmp "eq" %n, %zero : i32
  llvm.cond_br %c, ^a, ^b
^a:
  chan.done
^b:
  llvm.unreachable
}
}

// CHECK: llvm.func internal @k(%[[W:.*]]: !llvm.ptr, %[[B:.*]]: !llvm.ptr, %[[BEGIN:.*]]: i32, %[[END:.*]]: i32)
// CHECK-SAME: passthrough = {{\[}}["chan.source", "f"]]

// One object on the stack serves all elements.
// CHECK: llvm.alloca
// Structure of arrays: field x of all elements comes first, then field n.
// CHECK: %[[XS:.*]] = llvm.getelementptr inbounds %[[B]][32]
// CHECK: %[[AT:.*]] = llvm.getelementptr inbounds %[[B]][12]
// CHECK: %[[C32:.*]] = llvm.load %[[AT]]
// CHECK: %[[CAPACITY:.*]] = llvm.zext %[[C32]]
// CHECK: %[[NS:.*]] = llvm.getelementptr inbounds %[[XS]][%[[CAPACITY]]] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<8 x i8>
// CHECK: %[[FIRST:.*]] = llvm.zext %[[BEGIN]]
// CHECK: %[[LAST:.*]] = llvm.zext %[[END]]
// CHECK: llvm.br ^[[HEADER:bb[0-9]+]](%[[FIRST]] : i64)
// CHECK: ^[[HEADER]](%[[I:.*]]: i64):
// CHECK: %[[MORE:.*]] = llvm.icmp "ult" %[[I]], %[[LAST]]
// CHECK: llvm.cond_br %[[MORE]], ^{{.*}}, ^[[EXIT:bb[0-9]+]]

// CHECK-NOT: llvm.alloca
// CHECK: %[[N:.*]] = llvm.getelementptr inbounds %[[NS]][%[[I]]] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i8>
// CHECK: llvm.load %[[N]] {alignment = 4 : i64} : !llvm.ptr -> i32
// CHECK: llvm.getelementptr inbounds %[[XS]][%[[I]]] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<8 x i8>
// CHECK: llvm.unreachable
// CHECK: %[[NEXT:.*]] = llvm.add %[[I]], %{{.*}} overflow<nsw, nuw>
// CHECK: llvm.br ^[[HEADER]](%[[NEXT]] : i64)
// CHECK: ^[[EXIT]]:
// CHECK: llvm.return
