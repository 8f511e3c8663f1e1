//===- structs.mlir - Structs in registers, member by member --------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --chan-simd="lanes=4" --split-input-file --remarks-filter=chan-simd %s -o - 2>%t | FileCheck %s
// RUN: FileCheck --check-prefix=REMARK %s < %t

// Members lie where the struct has them.
// CHECK-LABEL: chan.kernel @members.batch.0
// CHECK: %{{.*}}, %[[M:.*]] = chan.deq
// CHECK: %[[N:.*]] = chan.get "n"
// CHECK: %[[P:.*]] = chan.get "p"
// CHECK: %[[SHORT:.*]] = llvm.trunc %[[N]] : vector<4xi32> to vector<4xi16>
// CHECK: llvm.intr.masked.scatter %[[SHORT]], %[[P]], %[[M]] {alignment = 4 : i32} : vector<4xi16>
// CHECK: %[[AT4:.*]] = llvm.getelementptr %[[P]][4]
// CHECK: llvm.intr.masked.scatter %[[N]], %[[AT4]], %[[M]] {alignment = 4 : i32} : vector<4xi32>
chan.stack entry @s(n: i32, p: !llvm.ptr) batch [@members.batch.0]
chan.kernel @members consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @members.batch.0 consumes @s frame 0 phase 0 {
  %e = chan.deq : <@s>
  %n = chan.get "n" of %e : <@s> -> i32
  %p = chan.get "p" of %e : <@s> -> !llvm.ptr
  chan.tfree %e : <@s>
  %nothing = llvm.mlir.poison : !llvm.struct<(i16, i32)>
  %old = llvm.insertvalue %n, %nothing[1] : !llvm.struct<(i16, i32)>
  %short = llvm.trunc %n : i32 to i16
  llvm.br ^next
^next:
  %new = llvm.insertvalue %short, %old[0] : !llvm.struct<(i16, i32)>
  llvm.store %new, %p : !llvm.struct<(i16, i32)>, !llvm.ptr
  chan.done
}

// -----

// CHECK-LABEL: chan.kernel @memory.batch.0
// CHECK: %[[P:.*]] = chan.get "p"
// CHECK: %[[FIRST:.*]] = llvm.intr.masked.gather %[[P]], %{{.*}} {alignment = 4 : i32} : {{.*}} -> vector<4xi8>
// CHECK: %[[AT1:.*]] = llvm.getelementptr %[[P]][1]
// CHECK: %[[SECOND:.*]] = llvm.intr.masked.gather %[[AT1]], %{{.*}} {alignment = 1 : i32} : {{.*}} -> vector<4xi32>
// CHECK: %[[SUM:.*]] = llvm.add %[[SECOND]]
// CHECK: llvm.intr.masked.scatter %[[FIRST]], %[[P]]
// CHECK: llvm.intr.masked.scatter %[[SUM]]
// CHECK: llvm.mlir.zero : vector<4xi8>
chan.stack entry @s(p: !llvm.ptr) batch [@memory.batch.0]
chan.kernel @memory consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @memory.batch.0 consumes @s frame 0 phase 0 {
  %e = chan.deq : <@s>
  %p = chan.get "p" of %e : <@s> -> !llvm.ptr
  chan.tfree %e : <@s>
  %one = llvm.mlir.constant(1 : i32) : i32
  %both = llvm.load %p {alignment = 4 : i64} : !llvm.ptr -> !llvm.struct<packed (i8, i32)>
  %second = llvm.extractvalue %both[1] : !llvm.struct<packed (i8, i32)>
  %sum = llvm.add %second, %one : i32
  %new = llvm.insertvalue %sum, %both[1] : !llvm.struct<packed (i8, i32)>
  llvm.store %new, %p {alignment = 4 : i64} : !llvm.struct<packed (i8, i32)>, !llvm.ptr
  %zero = llvm.mlir.zero : !llvm.struct<packed (i8, i32)>
  llvm.store %zero, %p : !llvm.struct<packed (i8, i32)>, !llvm.ptr
  chan.done
}

// -----

// CHECK-NOT: @nested.batch.0
// CHECK: chan.kernel @nested consumes
// CHECK-NOT: @nested.batch.0
// REMARK: 'nested.batch.0' is not used for batches: it accesses a struct in memory
chan.stack entry @s(p: !llvm.ptr) batch [@nested.batch.0]
chan.kernel @nested consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @nested.batch.0 consumes @s frame 0 phase 0 {
  %e = chan.deq : <@s>
  %p = chan.get "p" of %e : <@s> -> !llvm.ptr
  chan.tfree %e : <@s>
  %all = llvm.load %p : !llvm.ptr -> !llvm.struct<(array<2 x i32>)>
  llvm.store %all, %p : !llvm.struct<(array<2 x i32>)>, !llvm.ptr
  chan.done
}

// -----

// CHECK-NOT: @called.batch.0
// CHECK: chan.kernel @called consumes
// CHECK-NOT: @called.batch.0
// REMARK: 'called.batch.0' is not used for batches: it computes with a struct, such as functions return, in registers
llvm.func @f() -> !llvm.struct<(i32, i64)> attributes {passthrough = ["chan.quick"]}
chan.stack entry @s(p: !llvm.ptr) batch [@called.batch.0]
chan.kernel @called consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @called.batch.0 consumes @s frame 0 phase 0 {
  %e = chan.deq : <@s>
  %p = chan.get "p" of %e : <@s> -> !llvm.ptr
  chan.tfree %e : <@s>
  %all = llvm.call @f() : () -> !llvm.struct<(i32, i64)>
  llvm.store %all, %p : !llvm.struct<(i32, i64)>, !llvm.ptr
  chan.done
}
