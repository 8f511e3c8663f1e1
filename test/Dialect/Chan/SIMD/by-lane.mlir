//===- by-lane.mlir - What has no vector form runs for one lane at a time -===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --chan-simd="lanes=4" %s | FileCheck %s

llvm.func @f(i32, i1, f64) -> i1 attributes {passthrough = ["chan.quick"]}
chan.stack entry @s(n: i32, ret: !llvm.ptr) batch [@call.batch.0]
chan.kernel @call consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}

// CHECK-LABEL: chan.kernel @call.batch.0
// CHECK: %{{.*}}, %[[M:.*]] = chan.deq
// CHECK: %[[N:.*]] = chan.get "n"
// CHECK: %[[C:.*]] = llvm.icmp "eq" %[[N]], %{{.*}} : vector<4xi32>
// CHECK: llvm.store %[[N]], %[[NS:.*]] : vector<4xi32>, !llvm.ptr
// A truth value is a byte in memory.
// CHECK: %[[BYTES:.*]] = llvm.zext %[[C]] : vector<4xi1> to vector<4xi8>
// CHECK: llvm.store %[[BYTES]], %[[CS:.*]] : vector<4xi8>, !llvm.ptr
// CHECK: %[[BITS:.*]] = llvm.bitcast %[[M]] : vector<4xi1> to i4
// CHECK: %[[SET:.*]] = llvm.zext %[[BITS]] : i4 to i64
// CHECK: llvm.br ^[[HEAD:bb[0-9]+]](%[[SET]] : i64)
// CHECK: ^[[HEAD]](%[[LEFT:.*]]: i64):
// CHECK: %[[LANE:.*]] = "llvm.intr.cttz"(%[[LEFT]])
// CHECK: %[[AT:.*]] = llvm.getelementptr %[[NS]][%[[LANE]]]
// CHECK: %[[ONE:.*]] = llvm.load %[[AT]] : !llvm.ptr -> i32
// CHECK: %[[BYTE:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i8
// CHECK: %[[BIT:.*]] = llvm.trunc %[[BYTE]] : i8 to i1
// CHECK: %[[R:.*]] = llvm.call @f(%[[ONE]], %[[BIT]], %{{.*}}) : (i32, i1, f64) -> i1
// CHECK: llvm.store %{{.*}} : i8, !llvm.ptr
// CHECK: %[[LESS:.*]] = llvm.sub %[[LEFT]]
// CHECK: %[[REST:.*]] = llvm.and %[[LEFT]], %[[LESS]]
// CHECK: %[[MORE:.*]] = llvm.icmp "ne" %[[REST]]
// CHECK: llvm.cond_br %[[MORE]], ^[[HEAD]](%[[REST]] : i64)
// CHECK: %[[ALL:.*]] = llvm.load %{{.*}} : !llvm.ptr -> vector<4xi8>
// CHECK: llvm.trunc %[[ALL]] : vector<4xi8> to vector<4xi1>
chan.kernel @call.batch.0 consumes @s frame 0 phase 0 {
  %e = chan.deq : <@s>
  %n = chan.get "n" of %e : <@s> -> i32
  chan.tfree %e : <@s>
  %zero = llvm.mlir.constant(0 : i32) : i32
  %d = llvm.mlir.constant(1.0 : f64) : f64
  %c = llvm.icmp "eq" %n, %zero : i32
  %r = llvm.call @f(%n, %c, %d) : (i32, i1, f64) -> i1
  %wide = llvm.zext %r : i1 to i32
  chan.result %wide : i32
  chan.done
}

// What there are no vectors of in memory.
chan.stack entry @s1(p: !llvm.ptr) batch [@array.batch.0]
chan.kernel @array consumes @s1 frame 0 {
  %e = chan.deq : <@s1>
  chan.tfree %e : <@s1>
  chan.done
}
// CHECK-LABEL: chan.kernel @array.batch.0
// CHECK: %[[P:.*]] = chan.get "p" {{.*}} -> vector<4x!llvm.ptr>
// CHECK: llvm.store %[[P]], %[[PLACES:.*]] : vector<4x!llvm.ptr>
// CHECK: ^[[HEAD:bb[0-9]+]](%{{.*}}: i64):
// CHECK: %[[AT:.*]] = llvm.getelementptr %[[PLACES]][
// CHECK: %[[ONE:.*]] = llvm.load %[[AT]] : !llvm.ptr -> !llvm.ptr
// CHECK: llvm.store %{{.*}}, %[[ONE]] : !llvm.array<2 x ptr>, !llvm.ptr
// CHECK: llvm.cond_br %{{.*}}, ^[[HEAD]]
chan.kernel @array.batch.0 consumes @s1 frame 0 phase 0 {
  %e = chan.deq : <@s1>
  %p = chan.get "p" of %e : <@s1> -> !llvm.ptr
  chan.tfree %e : <@s1>
  %none = llvm.mlir.zero : !llvm.array<2 x ptr>
  llvm.store %none, %p : !llvm.array<2 x ptr>, !llvm.ptr
  chan.done
}
