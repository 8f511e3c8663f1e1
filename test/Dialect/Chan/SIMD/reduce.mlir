//===- reduce.mlir - Updates whose turn comes whenever it likes -----------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --lower-to-chan=batch-forms --chan-simd="vector-bits=512 lanes=8" %s | FileCheck %s
// RUN: cilk2chan-opt --lower-to-chan=batch-forms --chan-simd="vector-bits=512 lanes=8" --chan-to-host=vector-bits=512 %s | FileCheck --check-prefix=HOST %s

// At an address that a batch has one of, lanes combine what they have with that
// of other groups, and with what the worker's other batches have; and where they
// have the same of it, they are counted.
//
// CHECK-LABEL: chan.kernel @uniform.batch.0
// CHECK-DAG: %[[N:.*]] = chan.get "a0" {{.*}} vector<8xi32>
// CHECK-DAG: %[[TO:.*]] = chan.get "a1" {{.*}} -> !llvm.ptr
// CHECK: chan.reduce_shared smax %[[N]] to %[[TO]] mask %{{.*}} : vector<8xi32>, !llvm.ptr, vector<8xi1>
// CHECK: chan.reduce_shared sum %{{.*}} to %[[TO]] mask %{{.*}} : i64, !llvm.ptr, vector<8xi1>
// CHECK-NOT: atomicrmw
// CHECK: chan.done
//
// HOST-LABEL: llvm.func internal @uniform.batch.0(
// HOST-SAME: %[[W:[^:]*]]: !llvm.ptr
// HOST-DAG: llvm.mlir.constant(dense<-2147483648> : vector<8xi32>)
// HOST-NOT: atomicrmw
// HOST: llvm.intr.smax(%{{.*}}) : (vector<8xi32>, vector<8xi32>) -> vector<8xi32>
// HOST-NOT: atomicrmw
// HOST: %[[MOST:.*]] = "llvm.intr.vector.reduce.smax"
// HOST: %[[KIND:.*]] = llvm.mlir.constant(1030 : i64)
// HOST: %[[AT:.*]] = llvm.getelementptr inbounds %[[W]][544]
// HOST: %[[KNOWN:.*]] = llvm.load %[[AT]] : !llvm.ptr -> !llvm.ptr
// HOST: %[[ELSEWHERE:.*]] = llvm.icmp "ne" %[[KNOWN]], %[[TO:.*]] : !llvm.ptr
// HOST: %[[AS:.*]] = llvm.getelementptr inbounds %[[W]][552]
// HOST: %[[KNOWN:.*]] = llvm.load %[[AS]] : !llvm.ptr -> i64
// HOST: %[[OTHERWISE:.*]] = llvm.icmp "ne" %[[KNOWN]], %[[KIND]] : i64
// HOST: %[[OTHER:.*]] = llvm.or %[[ELSEWHERE]], %[[OTHERWISE]]
// HOST: llvm.cond_br %[[OTHER]] weights([1, 2000]), ^[[BEGIN:.*]], ^[[GOON:.*]]
// HOST: ^[[BEGIN]]:
// HOST: %[[NUMBER:.*]] = llvm.mlir.constant(0 : i32)
// HOST: llvm.call @chan_reduction_begin(%[[W]], %[[NUMBER]], %[[TO]], %[[KIND]])
// HOST: llvm.br ^[[GOON]]
// HOST: ^[[GOON]]:
// HOST: %[[OWN:.*]] = llvm.getelementptr inbounds %[[W]][560]
// HOST: %[[BEFORE:.*]] = llvm.load %[[OWN]] : !llvm.ptr -> i32
// HOST: %[[AFTER:.*]] = llvm.intr.smax(%[[BEFORE]], %[[MOST]])
// HOST: llvm.store %[[AFTER]], %[[OWN]] : i32, !llvm.ptr
// HOST: %[[SUM:.*]] = "llvm.intr.vector.reduce.add"
// HOST: %[[KIND:.*]] = llvm.mlir.constant(2049 : i64)
// HOST: llvm.getelementptr inbounds %[[W]][568]
// HOST: %[[NUMBER:.*]] = llvm.mlir.constant(1 : i32)
// HOST: llvm.call @chan_reduction_begin(%[[W]], %[[NUMBER]], %[[TO]], %[[KIND]])
// HOST: %[[OWN:.*]] = llvm.getelementptr inbounds %[[W]][584]
// HOST: %[[BEFORE:.*]] = llvm.load %[[OWN]] : !llvm.ptr -> i64
// HOST: %[[AFTER:.*]] = llvm.add %[[BEFORE]], %[[SUM]]
// HOST: llvm.store %[[AFTER]], %[[OWN]] : i64, !llvm.ptr
// HOST-NOT: atomicrmw
// HOST: llvm.return
llvm.func @uniform(%n: i32, %to: !llvm.ptr) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %seven = llvm.mlir.constant(7 : i64) : i64
  %zero = llvm.mlir.constant(0 : i32) : i32
  %a = llvm.atomicrmw max %to, %n monotonic {chan.reduction} : !llvm.ptr, i32
  %b = llvm.atomicrmw add %to, %seven monotonic {chan.reduction} : !llvm.ptr, i64
  %leaf = llvm.icmp "eq" %n, %zero : i32
  llvm.cond_br %leaf, ^end, ^inner
^inner:
  %m = llvm.lshr %n, %one : i32
  %l = llvm.sub %n, %one : i32
  cilk.spawn @uniform(%m, %to) : !llvm.func<void (i32, ptr)>, i32, !llvm.ptr
  cilk.spawn @uniform(%l, %to) : !llvm.func<void (i32, ptr)>, i32, !llvm.ptr
  llvm.br ^end
^end:
  llvm.return
}

// Where lanes have addresses of their own, each updates what is there.
//
// CHECK-LABEL: chan.kernel @varying.batch.0
// CHECK-NOT: chan.reduce_shared
// CHECK: %[[ALL:.*]] = chan.get "a1" {{.*}} -> vector<8x!llvm.ptr>
// CHECK: llvm.store %[[ALL]], %[[LANES:[0-9]*]]
// CHECK: %[[PLACE:.*]] = llvm.getelementptr %[[LANES]][%{{.*}}]
// CHECK: %[[TO:.*]] = llvm.load %[[PLACE]] : !llvm.ptr -> !llvm.ptr
// CHECK: llvm.atomicrmw add %[[TO]], %{{.*}} monotonic {chan.reduction} : !llvm.ptr, i32
llvm.func @varying(%n: i32, %to: !llvm.ptr, %other: !llvm.ptr) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %a = llvm.atomicrmw add %to, %n monotonic {chan.reduction} : !llvm.ptr, i32
  %leaf = llvm.icmp "eq" %n, %zero : i32
  llvm.cond_br %leaf, ^end, ^inner
^inner:
  %m = llvm.lshr %n, %one : i32
  cilk.spawn @varying(%m, %to, %other) : !llvm.func<void (i32, ptr, ptr)>, i32, !llvm.ptr, !llvm.ptr
  cilk.spawn @varying(%m, %other, %to) : !llvm.func<void (i32, ptr, ptr)>, i32, !llvm.ptr, !llvm.ptr
  llvm.br ^end
^end:
  llvm.return
}

// What begins with a place of its own has no batch form.
//
// CHECK: chan.stack entry @begins.entry(a0: i32) function @begins :
llvm.func @begins(%n: i32) {
  %one = llvm.mlir.constant(1 : i32) : i32
  %place = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  cilk.spawn @uniform(%n, %place) : !llvm.func<void (i32, ptr)>, i32, !llvm.ptr
  cilk.sync
  llvm.return
}
