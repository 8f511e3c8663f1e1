//===- locals.mlir - What lanes' locals look like ------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --chan-simd="lanes=4" %s | FileCheck %s
// RUN: cilk2chan-opt --chan-simd="lanes=4 interleave=0" %s | FileCheck --check-prefix=APART --implicit-check-not="array<10 x array<4" %s
// APART: array<10 x i32>

// An array is interleaved if all phases access it in parts of one size; so the
// one at 40, which has halves of its parts accessed by the second, is not.
// CHECK-LABEL: chan.kernel @f.batch.0 {{.*}} lanes 4
// CHECK: %[[A:.*]] = chan.local 0 size 40
// CHECK: %[[B:.*]] = chan.local 40 size 40
// CHECK: %[[AT:.*]] = llvm.getelementptr %[[A]][0, %[[I:.*]]] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<10 x array<4 x i32>>
// CHECK: llvm.store %{{.*}}, %[[AT]] {alignment = 4 : i64} : vector<4xi32>, !llvm.ptr
// CHECK: llvm.getelementptr %[[B]][0, %[[I]]] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<10 x i32>
// CHECK: llvm.mlir.constant(dense<[0, 40, 80, 120]>
// CHECK: llvm.intr.masked.scatter
// CHECK-LABEL: chan.kernel @f.batch.1 {{.*}} lanes 4
// CHECK: %[[A:.*]] = chan.local 0 size 40
// CHECK: %[[B:.*]] = chan.local 40 size 40
// CHECK: %[[N:.*]] = chan.get "a0"
// An index of their own: 4 bytes from the other lanes' parts.
// CHECK: llvm.mlir.constant(dense<[0, 4, 8, 12]>
// CHECK: llvm.getelementptr %{{.*}}[0, %[[N]]] : {{.*}}, !llvm.array<10 x array<4 x i32>>
// CHECK: llvm.intr.masked.gather
// CHECK: llvm.mlir.constant(dense<[0, 40, 80, 120]>
// CHECK: llvm.intr.masked.gather {{.*}} -> vector<4xi16>
chan.stack entry @f.entry(a0: i64, ret: !llvm.ptr) batch [@f.batch.0, @f.batch.1]
chan.kernel @f consumes @f.entry frame 0 {
  %e = chan.deq : <@f.entry>
  chan.tfree %e : <@f.entry>
  chan.done
}
chan.kernel @f.batch.0 consumes @f.entry produces [@f.entry + 1] frame 80 phase 0 {
  %e = chan.deq : <@f.entry>
  %a = chan.local 0 size 40
  %b = chan.local 40 size 40
  %n = chan.get "a0" of %e : <@f.entry> -> i64
  chan.tfree %e : <@f.entry>
  %i = llvm.mlir.constant(3 : i64) : i64
  %x = llvm.trunc %n : i64 to i32
  %p = llvm.getelementptr %a[0, %i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<10 x i32>
  llvm.store %x, %p : i32, !llvm.ptr
  %q = llvm.getelementptr %b[0, %i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<10 x i32>
  llvm.store %x, %q : i32, !llvm.ptr
  %c = chan.talloc + 1 : <@f.entry>
  chan.set "a0" of %c to %n : <@f.entry>, i64
  chan.enq %c site 0 : <@f.entry>
  chan.pend 1
  chan.done
}
chan.kernel @f.batch.1 consumes @f.entry frame 80 phase 1 {
  %e = chan.deq : <@f.entry>
  %a = chan.local 0 size 40
  %b = chan.local 40 size 40
  %n = chan.get "a0" of %e : <@f.entry> -> i64
  chan.tfree %e : <@f.entry>
  %p = llvm.getelementptr %a[0, %n] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<10 x i32>
  %x = llvm.load %p : !llvm.ptr -> i32
  %y = llvm.load %b : !llvm.ptr -> i16
  %z = llvm.sext %y : i16 to i32
  %sum = llvm.add %x, %z : i32
  chan.result %sum : i32
  chan.done
}

// An arm with an access at an index is branched around if no lane takes it:
// there may be no such part. One that accesses all of a local is not.
// CHECK-LABEL: chan.kernel @g.batch.0
// CHECK: %[[BIG:.*]] = llvm.icmp "sgt"
// CHECK: llvm.cond_br
// CHECK: llvm.getelementptr %{{.*}}[0, %{{.*}}] : {{.*}}, !llvm.array<10 x array<4 x i32>>
// CHECK: llvm.icmp "eq"
// CHECK-NOT: llvm.cond_br
// CHECK: chan.done
chan.stack entry @g.entry(a0: i64) batch [@g.batch.0, @g.batch.1]
chan.kernel @g consumes @g.entry frame 0 {
  %e = chan.deq : <@g.entry>
  chan.tfree %e : <@g.entry>
  chan.done
}
llvm.mlir.global external @where() : i64
chan.kernel @g.batch.0 consumes @g.entry produces [@g.entry + 1] frame 48 phase 0 {
  %e = chan.deq : <@g.entry>
  %array = chan.local 0 size 40
  %one = chan.local 40 size 8
  %n = chan.get "a0" of %e : <@g.entry> -> i64
  chan.tfree %e : <@g.entry>
  %zero = llvm.mlir.constant(0 : i64) : i64
  %number = llvm.mlir.constant(5 : i32) : i32
  %where = llvm.mlir.addressof @where : !llvm.ptr
  %i = llvm.load %where : !llvm.ptr -> i64
  %big = llvm.icmp "sgt" %n, %zero : i64
  llvm.cond_br %big, ^store, ^next
^store:
  %p = llvm.getelementptr %array[0, %i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<10 x i32>
  llvm.store %number, %p : i32, !llvm.ptr
  llvm.br ^next
^next:
  %none = llvm.icmp "eq" %n, %zero : i64
  llvm.cond_br %none, ^again, ^end
^again:
  llvm.store %n, %one : i64, !llvm.ptr
  llvm.br ^end
^end:
  %c = chan.talloc + 1 : <@g.entry>
  chan.set "a0" of %c to %n : <@g.entry>, i64
  chan.enq %c site 0 : <@g.entry>
  chan.pend 1
  chan.done
}
chan.kernel @g.batch.1 consumes @g.entry frame 48 phase 1 {
  %e = chan.deq : <@g.entry>
  chan.tfree %e : <@g.entry>
  chan.done
}
