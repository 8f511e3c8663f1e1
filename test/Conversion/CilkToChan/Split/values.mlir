//===- values.mlir - Values of every type live across a sync --------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --lower-to-chan %s | FileCheck %s


llvm.func @work()
llvm.func @"use it"(i1, i24, i128, f80, vector<8xf32>, !llvm.struct<(i64, i1)>, !llvm.ptr)

llvm.func @"odd \22name\22"(%a: i1, %b: i24, %c: i128, %d: f80, %e: vector<8xf32>, %f: !llvm.struct<(i64, i1)>, %g: !llvm.ptr) {
  cilk.spawn @work() : !llvm.func<void ()>
  cilk.sync
  llvm.call @"use it"(%a, %b, %c, %d, %e, %f, %g) : (i1, i24, i128, f80, vector<8xf32>, !llvm.struct<(i64, i1)>, !llvm.ptr) -> ()
  llvm.return
}

// The frame is aligned to 16 bytes, so no access of it may claim more.
// CHECK: chan.kernel @"odd \22name\22.0" consumes @"odd \22name\22.entry"
// CHECK-DAG: llvm.store %{{.*}}, %{{.*}} {alignment = 16 : i64} : vector<8xf32>
// CHECK-DAG: llvm.store %{{.*}}, %{{.*}} {alignment = 16 : i64} : f80
// CHECK-DAG: llvm.store %{{.*}}, %{{.*}} {alignment = 1 : i64} : i1
// CHECK-DAG: llvm.store %{{.*}}, %{{.*}} {alignment = 4 : i64} : i24
// CHECK: chan.kernel @"odd \22name\22.1"
// CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr -> vector<8xf32>
