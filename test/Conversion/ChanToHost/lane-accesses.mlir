//===- lane-accesses.mlir - Gathers and scatters, with and without --------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --chan-to-host=vector-bits=512 %s | FileCheck --check-prefixes=ALL,AVX512 %s
// RUN: cilk2chan-opt --chan-to-host=vector-bits=256 %s | FileCheck --check-prefixes=ALL,AVX2 %s
// RUN: cilk2chan-opt "--chan-to-host=vector-bits=256 gathers=false" %s | FileCheck --check-prefixes=ALL,SLOW %s
// RUN: cilk2chan-opt "--chan-to-host=vector-bits=512 gathers=false" %s | FileCheck --check-prefixes=ALL,AVX512 %s
// RUN: cilk2chan-opt --chan-to-host=vector-bits=128 %s | FileCheck --check-prefixes=ALL,SSE2 %s

// What a sanitizer watches is accessed as it is.
llvm.func @watched() attributes {passthrough = ["sanitize_address"]}
llvm.func @k.own(!llvm.ptr)
chan.stack entry @s(a0: !llvm.ptr) function @k.own batch [@k] : !llvm.func<void (ptr)>
chan.kernel @k.plain consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
// ALL-LABEL: llvm.func internal @k
chan.kernel @k consumes @s produces [@s + 1] frame 0 phase 0 lanes 2 source @watched {
  %e, %mask = chan.deq : <@s> mask vector<2xi1>
  %p = chan.get "a0" of %e : <@s> -> vector<2x!llvm.ptr>

  // A lane that takes no part loads from a word on the stack.
  // ALL: %[[SPARE:.*]] = llvm.alloca %{{.*}} x i64 {alignment = 16 : i64}
  // ALL: llvm.store %{{.*}}, %[[SPARE]]
  // ALL: llvm.insertelement %[[SPARE]]
  // ALL: %[[SPARES:.*]] = llvm.shufflevector
  // ALL: %[[SAFE:.*]] = llvm.select %{{.*}}, %{{.*}}, %[[SPARES]]
  // ALL: %[[P0:.*]] = llvm.extractelement %[[SAFE]]
  // ALL: %[[B0:.*]] = llvm.load %[[P0]] {alignment = 16 : i64} : !llvm.ptr -> i8
  // ALL: llvm.insertelement %[[B0]]
  // ALL: %[[P1:.*]] = llvm.extractelement %[[SAFE]]
  // ALL: %[[B1:.*]] = llvm.load %[[P1]] {alignment = 16 : i64} : !llvm.ptr -> i8
  // ALL: %[[BYTES:.*]] = llvm.insertelement %[[B1]]
  %bytes = llvm.intr.masked.gather %p, %mask {alignment = 32 : i32} : (vector<2x!llvm.ptr>, vector<2xi1>) -> vector<2xi8>

  // AVX512: llvm.intr.masked.gather
  // AVX2: llvm.intr.masked.gather
  // SLOW-COUNT-2: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> i32
  // SSE2-COUNT-2: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> i32
  %words = llvm.intr.masked.gather %p, %mask {alignment = 4 : i32} : (vector<2x!llvm.ptr>, vector<2xi1>) -> vector<2xi32>

  // AVX512: llvm.intr.masked.scatter
  // AVX2-COUNT-2: llvm.store %{{.*}}, %{{.*}} {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  // SSE2-COUNT-2: llvm.store %{{.*}}, %{{.*}} {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
  llvm.intr.masked.scatter %p, %p, %mask {alignment = 8 : i32} : vector<2x!llvm.ptr>, vector<2xi1> into vector<2x!llvm.ptr>

  // In the order of the lanes.
  // ALL: %[[FIRST:.*]] = llvm.extractelement %[[BYTES]]
  // ALL: llvm.store %[[FIRST]]
  // ALL: %[[SECOND:.*]] = llvm.extractelement %[[BYTES]]
  // ALL: llvm.store %[[SECOND]]
  llvm.intr.masked.scatter %bytes, %p, %mask {alignment = 1 : i32} : vector<2xi8>, vector<2xi1> into vector<2x!llvm.ptr>
  %c = chan.talloc + 1 : <@s> mask %mask : vector<2xi1>
  chan.set "a0" of %c to %p : <@s>, vector<2x!llvm.ptr>
  chan.enq %c site 0 : <@s>
  chan.tfree %e : <@s>
  chan.done
}

// Less than words come in words, which need not be as the lanes have them.
llvm.func @narrow.own(!llvm.ptr)
chan.stack entry @t(a0: !llvm.ptr) function @narrow.own batch [@narrow] : !llvm.func<void (ptr)>
chan.kernel @narrow.plain consumes @t frame 0 {
  %e = chan.deq : <@t>
  chan.tfree %e : <@t>
  chan.done
}
// ALL-LABEL: llvm.func internal @narrow
chan.kernel @narrow consumes @t produces [@t + 1] frame 0 phase 0 lanes 2 {
  %e, %mask = chan.deq : <@t> mask vector<2xi1>
  %p = chan.get "a0" of %e : <@t> -> vector<2x!llvm.ptr>

  // AVX512: %[[DOWN:.*]] = llvm.mlir.constant(dense<-4> : vector<2xi64>)
  // AVX512: %[[BASE:.*]] = llvm.intr.ptrmask %[[P:.*]], %[[DOWN]]
  // AVX512: %[[WORDS:.*]] = llvm.intr.masked.gather %[[BASE]], %{{.*}} {alignment = 4 : i32} : {{.*}} -> vector<2xi32>
  // AVX512: %[[PLACE:.*]] = llvm.ptrtoint %[[P]]
  // AVX512: %[[LOW:.*]] = llvm.trunc %[[PLACE]]
  // AVX512: %[[BYTE:.*]] = llvm.and %[[LOW]], %{{.*}}
  // AVX512: %[[BITS:.*]] = llvm.shl %[[BYTE]], %{{.*}}
  // AVX512: %[[SHIFTED:.*]] = llvm.lshr %[[WORDS]], %[[BITS]]
  // AVX512: llvm.trunc %[[SHIFTED]] : vector<2xi32> to vector<2xi8>
  // SLOW-NOT: llvm.intr.ptrmask
  // SLOW-COUNT-2: llvm.load {{.*}} -> i8
  // AVX2: llvm.intr.ptrmask
  // SSE2-NOT: llvm.intr.ptrmask
  // SSE2-COUNT-2: llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr -> i8
  %bytes = llvm.intr.masked.gather %p, %mask {alignment = 1 : i32} : (vector<2x!llvm.ptr>, vector<2xi1>) -> vector<2xi8>
  // AVX512: llvm.intr.ptrmask
  // AVX512: llvm.trunc %{{.*}} : vector<2xi32> to vector<2xi16>
  %halves = llvm.intr.masked.gather %p, %mask {alignment = 2 : i32} : (vector<2x!llvm.ptr>, vector<2xi1>) -> vector<2xi16>
  // These may lie in two.
  // ALL-COUNT-2: llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr -> i16
  %lost = llvm.intr.masked.gather %p, %mask {alignment = 1 : i32} : (vector<2x!llvm.ptr>, vector<2xi1>) -> vector<2xi16>
  %c = chan.talloc + 1 : <@t> mask %mask : vector<2xi1>
  chan.set "a0" of %c to %p : <@t>, vector<2x!llvm.ptr>
  chan.enq %c site 0 : <@t>
  chan.tfree %e : <@t>
  chan.done
}
