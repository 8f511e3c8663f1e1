//===- delivery.mlir - Results, deferred results and memory of the activation -===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --chan-to-host %s | FileCheck %s

llvm.func @apply(!llvm.ptr, !llvm.ptr)
chan.stack entry @s(v: vector<8xf32>, n: i32, ret: !llvm.ptr)

chan.kernel @k consumes @s frame 64 {
  %e = chan.deq : <@s>
  %v = chan.get "v" of %e : <@s> -> vector<8xf32>
  %n = chan.get "n" of %e : <@s> -> i32
  %ret = chan.get "ret" of %e : <@s> -> !llvm.ptr
  chan.tfree %e : <@s>
  %frame = chan.frame 64
  %memory = chan.alloca %n in %frame align 32 : i32
  %slot = chan.defer 4 align 4 in %frame apply @apply to %memory
  %dropped = chan.defer 4 align 4 in %frame to %memory
  chan.apply %frame
  chan.alloca_free %frame
  chan.deliver %v to %ret : vector<8xf32>
  chan.frame_free %frame, 64
  chan.done
}

// No field of a block is aligned to more than 16 bytes.
// CHECK: %[[V:.*]] = llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr -> vector<8xf32>
// CHECK: %[[SIZE:.*]] = llvm.zext %{{.*}} : i32 to i64
// CHECK: %[[ALIGN:.*]] = llvm.mlir.constant(32 : i64)
// CHECK: %[[M:.*]] = llvm.call @chan_arena_alloc(%{{.*}}, %{{.*}}, %[[SIZE]], %[[ALIGN]])
// CHECK: %[[APPLY:.*]] = llvm.mlir.addressof @apply
// CHECK: llvm.call @chan_defer(%{{.*}}, %{{.*}}, %[[APPLY]], %[[M]], %{{.*}}, %{{.*}})
// CHECK: %[[NONE:.*]] = llvm.mlir.zero
// CHECK: llvm.call @chan_defer(%{{.*}}, %{{.*}}, %[[NONE]], %[[M]], %{{.*}}, %{{.*}})
// CHECK: llvm.call @chan_apply
// CHECK: llvm.call @chan_arena_free

// Where it is wanted; the destination may be anywhere.
// CHECK: %[[WANTED:.*]] = llvm.icmp "ne" %[[RET:.*]], %{{.*}} : !llvm.ptr
// CHECK: llvm.cond_br %[[WANTED]], ^[[STORE:bb[0-9]+]], ^[[AFTER:bb[0-9]+]]
// CHECK: ^[[STORE]]:
// CHECK-NEXT: llvm.store %[[V]], %[[RET]] {alignment = 1 : i64}
// CHECK-NEXT: llvm.br ^[[AFTER]]
