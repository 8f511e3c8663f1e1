//===- memory.mlir - Accesses, and what each lane has on the stack --------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --chan-simd=lanes=4 %s | FileCheck %s

llvm.mlir.global external @table() : !llvm.array<8 x i32>
chan.stack entry @s(n: i64, ret: !llvm.ptr)

// CHECK-LABEL: chan.kernel @accesses
// CHECK: %[[E:.*]], %[[M:.*]] = chan.deq
// Every lane has an object of its own, 4 bytes further than the last one's.
// CHECK: %[[BYTES:.*]] = llvm.mlir.constant(16 : i64)
// CHECK: %[[OWN:.*]] = llvm.alloca %[[BYTES]] x i8 {alignment = 4 : i64}
// CHECK: %[[BYTES2:.*]] = llvm.mlir.constant(32 : i64)
// CHECK: %[[PAIR:.*]] = llvm.alloca %[[BYTES2]] x i8
// CHECK: %[[N:.*]] = chan.get "n"
// CHECK: %[[TABLE:.*]] = llvm.mlir.addressof @table
// One address for all: one access.
// CHECK: %[[FIRST:.*]] = llvm.load %[[TABLE]] {{.*}}: !llvm.ptr -> i32
// CHECK: %[[AT:.*]] = llvm.getelementptr %[[TABLE]][%[[N]]] : (!llvm.ptr, vector<4xi64>) -> vector<4x!llvm.ptr>, i32
// CHECK: llvm.intr.masked.gather %[[AT]], %[[M]] {alignment = 4 : i32}
// The lanes' objects exist, whether the lanes do or not; they keep their values.
// CHECK: llvm.intr.masked.store %{{.*}}, %[[OWN]], %[[M]] {alignment = 4 : i32}
// CHECK: llvm.load %[[OWN]] {alignment = 4 : i64} : !llvm.ptr -> vector<4xi32>
// CHECK: llvm.getelementptr %[[PAIR]][4]
// CHECK: llvm.mlir.constant(dense<[0, 8, 16, 24]>
// CHECK: llvm.intr.masked.scatter %{{.*}}, %{{.*}}, %[[M]] {alignment = 2 : i32}
chan.kernel @accesses consumes @s frame 0 {
  %e = chan.deq : <@s>
  %one = llvm.mlir.constant(1 : i64) : i64
  %two = llvm.mlir.constant(2 : i64) : i64
  %pair = llvm.alloca %two x i32 : (i64) -> !llvm.ptr
  %own = llvm.alloca %one x i32 : (i64) -> !llvm.ptr
  %n = chan.get "n" of %e : <@s> -> i64
  %ret = chan.get "ret" of %e : <@s> -> !llvm.ptr
  chan.tfree %e : <@s>
  %table = llvm.mlir.addressof @table : !llvm.ptr
  %first = llvm.load %table {alignment = 16 : i64} : !llvm.ptr -> i32
  %at = llvm.getelementptr %table[%n] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  %some = llvm.load %at : !llvm.ptr -> i32
  llvm.store %some, %own : i32, !llvm.ptr
  %again = llvm.load %own : !llvm.ptr -> i32
  %second = llvm.getelementptr %pair[4] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %again, %second {alignment = 2 : i64} : i32, !llvm.ptr
  %sum = llvm.add %first, %again : i32
  chan.deliver %sum to %ret : i32
  chan.done
}
