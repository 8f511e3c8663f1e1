//===- lanes.mlir - Batches of a kernel with lanes ------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --chan-to-host=vector-bits=512 %s | FileCheck %s
// RUN: cilk2chan-opt --chan-to-host=vector-bits=128 %s | FileCheck --check-prefix=SHORT %s
// RUN: cilk2chan-opt --chan-to-host=vector-bits=256 %s | FileCheck --check-prefix=PERMUTE %s

chan.stack entry @s(n: i32, b: i1, ret: !llvm.ptr)
chan.kernel @k consumes @s produces [@s + 1] frame 0 lanes 16 {
  %e, %mask = chan.deq : <@s> mask vector<16xi1>
  %n = chan.get "n" of %e : <@s> -> vector<16xi32>
  %b = chan.get "b" of %e : <@s> -> vector<16xi1>
  %ret = chan.get "ret" of %e : <@s> -> vector<16x!llvm.ptr>
  chan.deliver %n to %ret mask %mask : vector<16xi32>, vector<16x!llvm.ptr>, vector<16xi1>
  %t = chan.talloc + 1 : <@s> mask %b : vector<16xi1>
  chan.set "n" of %t to %n : <@s>, vector<16xi32>
  chan.set "b" of %t to %b : <@s>, vector<16xi1>
  chan.set "ret" of %t to %ret : <@s>, vector<16x!llvm.ptr>
  chan.enq %t : <@s>
  chan.tfree %e : <@s>
  chan.done
}

// Registers as long as the pass was told.
// CHECK: llvm.func internal @k(%[[WORKER:.*]]: !llvm.ptr, %[[BLOCK:.*]]: !llvm.ptr, %{{.*}}: i32, %{{.*}}: i32) attributes {passthrough = {{\[}}"chan.lanes", ["min-legal-vector-width", "512"]]}

// Room for 16 elements of 13 bytes, and a header, on the stack.
// CHECK: %[[BYTES:.*]] = llvm.mlir.constant(240 : i64)
// CHECK: %[[SPARE:.*]] = llvm.alloca %[[BYTES]] x i8 {alignment = 64 : i64}

// Those there are, of 16.
// CHECK: ^{{.*}}(%[[INDEX:.*]]: i64):
// CHECK: %[[LEFT:.*]] = llvm.sub %[[END:.*]], %[[INDEX]]
// CHECK: %[[FULL:.*]] = llvm.icmp "uge" %[[LEFT]]
// CHECK: %[[MASK:.*]] = llvm.icmp "ult" %{{.*}}, %{{.*}} : vector<16xi32>
// CHECK: llvm.cond_br %[[FULL]], ^[[WHOLE:bb[0-9]+]], ^[[PART:bb[0-9]+]]

// Columns are loaded no further than there are elements.
// CHECK: ^[[WHOLE]]:
// CHECK-COUNT-3: llvm.load %{{.*}} : !llvm.ptr -> vector<16x
// CHECK: ^[[PART]]:
// CHECK-COUNT-3: llvm.intr.masked.load %{{.*}}, %[[MASK]]
// CHECK: %[[TRUE:.*]] = llvm.trunc %{{.*}} : vector<16xi8> to vector<16xi1>

// A result goes where one is wanted.
// CHECK: %[[WANTED:.*]] = llvm.icmp "ne" %[[RET:.*]], %{{.*}} : vector<16x!llvm.ptr>
// CHECK: %[[GET:.*]] = llvm.select %[[MASK]], %[[WANTED]]
// CHECK: llvm.intr.masked.scatter %{{.*}}, %[[RET]], %[[GET]] {alignment = 1 : i32}

// In the block that fills, if it has room for all lanes.
// CHECK: %[[FILLING:.*]] = llvm.load
// CHECK: %[[FITS:.*]] = llvm.icmp "uge" %{{.*}}, %{{.*}} : i32
// CHECK: %[[FAST:.*]] = llvm.and %{{.*}}, %[[FITS]]
// CHECK: %[[TO:.*]] = llvm.select %[[FAST]], %[[FILLING]], %[[SPARE]]

// Register by register: 8 and 8 pointers, 16 bytes in the order that their
// numbers come to, 16 of 32 bits.
// CHECK: %[[BITS:.*]] = llvm.bitcast %{{.*}} : vector<8xi1> to i8
// CHECK: llvm.intr.ctpop(%[[BITS]])
// CHECK: llvm.call_intrinsic "llvm.experimental.vector.compress"(%{{.*}}) : (vector<8x!llvm.ptr>
// CHECK: llvm.call_intrinsic "llvm.experimental.vector.compress"(%{{.*}}) : (vector<8x!llvm.ptr>
// CHECK: %[[BYTES:.*]] = llvm.zext %[[TRUE]] : vector<16xi1> to vector<16xi8>
// CHECK: %[[NUMBERS:.*]] = llvm.mlir.constant(dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]>
// CHECK: %[[PACKED:.*]] = llvm.call_intrinsic "llvm.experimental.vector.compress"(%[[NUMBERS]], %[[TRUE]], %{{.*}}) : (vector<16xi32>
// CHECK: %[[ORDER:.*]] = llvm.trunc %[[PACKED]] : vector<16xi32> to vector<16xi8>
// CHECK: llvm.call_intrinsic "llvm.x86.ssse3.pshuf.b.128"(%[[BYTES]], %[[ORDER]])
// CHECK: llvm.call_intrinsic "llvm.experimental.vector.compress"(%{{.*}}) : (vector<16xi32>
// CHECK: %[[NEW:.*]] = llvm.add %{{.*}} : i32
// CHECK: llvm.store %[[NEW]]
// CHECK: llvm.cond_br %[[FAST]] weights([2000, 1]), ^{{.*}}, ^[[SLOW:bb[0-9]+]]
// CHECK: ^[[SLOW]]:
// CHECK: llvm.call @chan_enq_block(%[[WORKER]], %[[SPARE]], %{{.*}})

// Without an instruction for it, lane after lane.
// SHORT-NOT: vector.compress
// SHORT: "min-legal-vector-width", "128"
// SHORT-COUNT-16: llvm.extractelement %{{.*}} : vector<16xi32>

// With AVX2 a permutation, in the order that a table has for the mask: of four
// lanes of two words, and of eight of one word or byte.
// PERMUTE-DAG: llvm.mlir.global private constant @chan.compress64(dense<[0, 256, 770, 50462976, 1284, {{.*}}]> : tensor<16xi64>)
// PERMUTE-DAG: llvm.mlir.global private constant @chan.compress32({{.*}} : tensor<256xi64>)
// PERMUTE-LABEL: llvm.func internal @k(
// PERMUTE: %[[BITS:.*]] = llvm.bitcast %{{.*}} : vector<4xi1> to i4
// PERMUTE: %[[TABLE:.*]] = llvm.mlir.addressof @chan.compress64
// PERMUTE: %[[ORDER:.*]] = llvm.load %{{.*}} invariant {{.*}} -> i64
// PERMUTE: %[[BYTES:.*]] = llvm.bitcast %[[ORDER]] : i64 to vector<8xi8>
// PERMUTE: %[[WORDS:.*]] = llvm.zext %[[BYTES]] : vector<8xi8> to vector<8xi32>
// PERMUTE: llvm.call_intrinsic "llvm.x86.avx2.permd"(%{{.*}}, %[[WORDS]])
// PERMUTE-COUNT-3: llvm.call_intrinsic "llvm.x86.avx2.permd"
// PERMUTE-COUNT-2: llvm.call_intrinsic "llvm.x86.ssse3.pshuf.b.128"
// PERMUTE-COUNT-2: llvm.call_intrinsic "llvm.x86.avx2.permd"
// PERMUTE-NOT: llvm.call_intrinsic
// PERMUTE-LABEL: llvm.func internal @many(
// PERMUTE-COUNT-16: llvm.call_intrinsic "llvm.x86.ssse3.pshuf.b.128"
// PERMUTE-NOT: llvm.call_intrinsic

// Many bytes go 32 at a time, each 16 of them in their own order.  Both fields
// have the same orders.
chan.stack entry @bytes(a: i8, b: i8)
chan.kernel @many consumes @bytes produces [@bytes + 1] frame 0 lanes 64 {
  %e, %mask = chan.deq : <@bytes> mask vector<64xi1>
  %a = chan.get "a" of %e : <@bytes> -> vector<64xi8>
  %b = chan.get "b" of %e : <@bytes> -> vector<64xi8>
  %t = chan.talloc + 1 : <@bytes> mask %mask : vector<64xi1>
  chan.set "a" of %t to %b : <@bytes>, vector<64xi8>
  chan.set "b" of %t to %a : <@bytes>, vector<64xi8>
  chan.enq %t : <@bytes>
  chan.tfree %e : <@bytes>
  chan.done
}

// CHECK-LABEL: llvm.func internal @many(
// CHECK-COUNT-4: "llvm.experimental.vector.compress"
// CHECK: %[[FIRST:.*]] = llvm.shufflevector %{{.*}}, %{{.*}} [0, 1, {{.*}}, 30, 31] : vector<16xi8>
// CHECK: %[[VALUES:.*]] = llvm.shufflevector %{{.*}}, %{{.*}} [0, 1, {{.*}}, 30, 31] : vector<64xi8>
// CHECK: %[[BOTH:.*]] = llvm.call_intrinsic "llvm.x86.avx2.pshuf.b"(%[[VALUES]], %[[FIRST]])
// CHECK: %[[LOW:.*]] = llvm.shufflevector %[[BOTH]], %[[BOTH]] [0, {{.*}}, 15]
// CHECK: llvm.store %[[LOW]]
// CHECK: %[[HIGH:.*]] = llvm.shufflevector %[[BOTH]], %[[BOTH]] [16, {{.*}}, 31]
// CHECK: llvm.store %[[HIGH]]
// CHECK-COUNT-3: "llvm.x86.avx2.pshuf.b"
// CHECK-NOT: vector.compress
// CHECK: llvm.return
