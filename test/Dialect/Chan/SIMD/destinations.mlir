//===- destinations.mlir - Where lanes' results go ------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --chan-simd="lanes=4" %s | FileCheck %s
// RUN: cilk2chan-opt --chan-simd="lanes=4 interleave=0" %s | FileCheck --check-prefix=APART %s
// Nor is an array that is filled up to the middle of an element.
// RUN: sed -e 's/constant(8 : i64)/constant(6 : i64)/' %s | cilk2chan-opt --chan-simd="lanes=4" | FileCheck --check-prefix=APART %s

llvm.mlir.global internal constant @initial(dense<[1, 2]> : tensor<2xi32>) : !llvm.array<2 x i32>

// The results go to one element of each lane's array: one address says where.
// What the array begins with is stored part by part.
// CHECK-LABEL: chan.kernel @f.batch.0 {{.*}} lanes 4
// CHECK: %[[A:.*]] = chan.local 0 size 16
// CHECK: %[[NUMBERS:.*]] = llvm.mlir.addressof @initial
// CHECK-NOT: llvm.intr.memcpy
// CHECK: %[[FROM:.*]] = llvm.getelementptr %[[NUMBERS]][0] : {{.*}}, i8
// CHECK: %[[ONE:.*]] = llvm.load %[[FROM]] {alignment = 1 : i64} : !llvm.ptr -> i32
// CHECK: %[[ALL:.*]] = llvm.shufflevector
// CHECK: %[[TO:.*]] = llvm.getelementptr %[[A]][0] : {{.*}}, i8
// CHECK: %[[OLD:.*]] = llvm.load %[[TO]] {alignment = 4 : i64} : !llvm.ptr -> vector<4xi32>
// CHECK: %[[NEW:.*]] = llvm.select %{{.*}}, %[[ALL]], %[[OLD]]
// CHECK: llvm.store %[[NEW]], %[[TO]] {alignment = 4 : i64} : vector<4xi32>
// CHECK: llvm.getelementptr %[[NUMBERS]][4] : {{.*}}, i8
// CHECK: llvm.getelementptr %[[A]][16] : {{.*}}, i8
// CHECK-NOT: llvm.intr.memset
// The other half of it begins eight bytes on in each lane.
// CHECK: %[[HALF:.*]] = llvm.getelementptr %[[A]][0, 2] : {{.*}}, !llvm.array<4 x array<4 x i32>>
// CHECK: llvm.mlir.constant(16843009 : i32)
// CHECK: llvm.getelementptr %[[HALF]][0]
// CHECK: llvm.getelementptr %[[HALF]][16]
// CHECK: %[[AT:.*]] = llvm.getelementptr %[[A]][0, %{{.*}}] : {{.*}}, !llvm.array<4 x array<4 x i32>>
// CHECK: chan.enq %{{.*}} site 0 to %[[AT]] : <@f.entry>, !llvm.ptr
// CHECK-LABEL: chan.kernel @f.batch.result.0
// CHECK: %[[VALUE:.*]] = chan.child 0
// CHECK: %[[D:.*]] = chan.destination : !llvm.ptr
// CHECK: %[[OLD:.*]] = llvm.load %[[D]]
// CHECK: llvm.store %{{.*}}, %[[D]] {{.*}} vector<4xi32>
// APART-LABEL: chan.kernel @f.batch.0 {{.*}} lanes 4
// APART: llvm.intr.memcpy
// APART: llvm.intr.memset
// APART: chan.enq {{.*}} site 0 to {{.*}} vector<4x!llvm.ptr>
// APART-LABEL: chan.kernel @f.batch.result.0
// APART: chan.destination : vector<4x!llvm.ptr>
chan.stack entry @f.entry(a0: i64, ret: !llvm.ptr) batch [@f.batch.0, @f.batch.1, @f.batch.result.0] result_handlers 2
chan.kernel @f consumes @f.entry frame 0 {
  %e = chan.deq : <@f.entry>
  chan.tfree %e : <@f.entry>
  chan.done
}
chan.kernel @f.batch.0 consumes @f.entry produces [@f.entry + 1] frame 16 phase 0 {
  %e = chan.deq : <@f.entry>
  %a = chan.local 0 size 16 exposed
  %n = chan.get "a0" of %e : <@f.entry> -> i64
  chan.tfree %e : <@f.entry>
  %numbers = llvm.mlir.addressof @initial : !llvm.ptr
  %eight = llvm.mlir.constant(8 : i64) : i64
  %byte = llvm.mlir.constant(1 : i8) : i8
  "llvm.intr.memcpy"(%a, %numbers, %eight) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  %half = llvm.getelementptr %a[0, 2] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<4 x i32>
  "llvm.intr.memset"(%half, %byte, %eight) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  llvm.br ^next(%zero : i64)
^next(%i: i64):
  %more = llvm.icmp "slt" %i, %n : i64
  llvm.cond_br %more, ^body, ^end
^body:
  %at = llvm.getelementptr %a[0, %i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i32>
  %c = chan.talloc + 1 : <@f.entry>
  chan.set "a0" of %c to %i : <@f.entry>, i64
  chan.enq %c site 0 to %at : <@f.entry>, !llvm.ptr
  %j = llvm.add %i, %one : i64
  llvm.br ^next(%j : i64)
^end:
  chan.pend 1
  chan.done
}
chan.kernel @f.batch.1 consumes @f.entry frame 16 phase 1 {
  %e = chan.deq : <@f.entry>
  %a = chan.local 0 size 16 exposed
  chan.tfree %e : <@f.entry>
  %x = llvm.load %a : !llvm.ptr -> i32
  chan.result %x : i32
  chan.done
}
chan.kernel @f.batch.result.0 consumes @f.entry frame 16 phase 2 {
  %e = chan.deq : <@f.entry>
  %spawned, %value = chan.child 0 : i1, i32
  %d = chan.destination : !llvm.ptr
  llvm.store %value, %d {alignment = 1 : i64} : i32, !llvm.ptr
  chan.tfree %e : <@f.entry>
  chan.done
}

// One spawn of the site has an element of its own in each lane: all addresses
// are said.  The lanes' arrays are side by side all the same.
// CHECK-LABEL: chan.kernel @g.batch.0 {{.*}} lanes 4
// CHECK: chan.enq {{.*}} site 0 to {{.*}} : <@g.entry>, vector<4x!llvm.ptr>
// CHECK: llvm.getelementptr {{.*}} !llvm.array<4 x array<4 x i32>>
// CHECK: chan.enq {{.*}} site 0 to {{.*}} : <@g.entry>, vector<4x!llvm.ptr>
// CHECK-LABEL: chan.kernel @g.batch.result.0
// CHECK: chan.destination : vector<4x!llvm.ptr>
// CHECK: llvm.intr.masked.scatter
chan.stack entry @g.entry(a0: i64, ret: !llvm.ptr) batch [@g.batch.0, @g.batch.1, @g.batch.result.0] result_handlers 2
chan.kernel @g consumes @g.entry frame 0 {
  %e = chan.deq : <@g.entry>
  chan.tfree %e : <@g.entry>
  chan.done
}
chan.kernel @g.batch.0 consumes @g.entry produces [@g.entry + 1] frame 16 phase 0 {
  %e = chan.deq : <@g.entry>
  %a = chan.local 0 size 16 exposed
  %n = chan.get "a0" of %e : <@g.entry> -> i64
  chan.tfree %e : <@g.entry>
  %c = chan.talloc + 1 : <@g.entry>
  chan.set "a0" of %c to %n : <@g.entry>, i64
  chan.enq %c site 0 to %a : <@g.entry>, !llvm.ptr
  %at = llvm.getelementptr %a[0, %n] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i32>
  %d = chan.talloc + 1 : <@g.entry>
  chan.set "a0" of %d to %n : <@g.entry>, i64
  chan.enq %d site 0 to %at : <@g.entry>, !llvm.ptr
  chan.pend 1
  chan.done
}
chan.kernel @g.batch.1 consumes @g.entry frame 16 phase 1 {
  %e = chan.deq : <@g.entry>
  %a = chan.local 0 size 16 exposed
  chan.tfree %e : <@g.entry>
  %x = llvm.load %a : !llvm.ptr -> i32
  chan.result %x : i32
  chan.done
}
chan.kernel @g.batch.result.0 consumes @g.entry frame 16 phase 2 {
  %e = chan.deq : <@g.entry>
  %spawned, %value = chan.child 0 : i1, i32
  %d = chan.destination : !llvm.ptr
  llvm.store %value, %d {alignment = 1 : i64} : i32, !llvm.ptr
  chan.tfree %e : <@g.entry>
  chan.done
}

// The result handler stores halves of what a phase loads: each lane has its array by
// itself.
// CHECK-LABEL: chan.kernel @h.batch.0 {{.*}} lanes 4
// CHECK: llvm.intr.memset
// CHECK: chan.enq {{.*}} vector<4x!llvm.ptr>
chan.stack entry @h.entry(a0: i64, ret: !llvm.ptr) batch [@h.batch.0, @h.batch.1, @h.batch.result.0] result_handlers 2
chan.kernel @h consumes @h.entry frame 0 {
  %e = chan.deq : <@h.entry>
  chan.tfree %e : <@h.entry>
  chan.done
}
chan.kernel @h.batch.0 consumes @h.entry produces [@h.entry + 1] frame 16 phase 0 {
  %e = chan.deq : <@h.entry>
  %a = chan.local 0 size 16 exposed
  %n = chan.get "a0" of %e : <@h.entry> -> i64
  chan.tfree %e : <@h.entry>
  %all = llvm.mlir.constant(16 : i64) : i64
  %byte = llvm.mlir.constant(0 : i8) : i8
  "llvm.intr.memset"(%a, %byte, %all) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  %c = chan.talloc + 1 : <@h.entry>
  chan.set "a0" of %c to %n : <@h.entry>, i64
  chan.enq %c site 0 to %a : <@h.entry>, !llvm.ptr
  chan.pend 1
  chan.done
}
chan.kernel @h.batch.1 consumes @h.entry frame 16 phase 1 {
  %e = chan.deq : <@h.entry>
  %a = chan.local 0 size 16 exposed
  chan.tfree %e : <@h.entry>
  %x = llvm.load %a : !llvm.ptr -> i32
  %y = llvm.trunc %x : i32 to i16
  chan.result %y : i16
  chan.done
}
chan.kernel @h.batch.result.0 consumes @h.entry frame 16 phase 2 {
  %e = chan.deq : <@h.entry>
  %spawned, %value = chan.child 0 : i1, i16
  %d = chan.destination : !llvm.ptr
  llvm.store %value, %d {alignment = 1 : i64} : i16, !llvm.ptr
  chan.tfree %e : <@h.entry>
  chan.done
}
