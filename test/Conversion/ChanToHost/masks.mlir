//===- masks.mlir - Lanes that a later phase runs for ---------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --lower-to-chan=batch-forms --chan-simd="vector-bits=512 lanes=8" --chan-to-host=vector-bits=512 %s | FileCheck --check-prefix=AVX512 %s
// RUN: cilk2chan-opt --lower-to-chan=batch-forms --chan-simd="vector-bits=256 lanes=8" --chan-to-host=vector-bits=256 %s | FileCheck --check-prefix=AVX2 %s
// RUN: cilk2chan-opt --lower-to-chan=batch-forms --chan-simd="vector-bits=256 lanes=2" --chan-to-host=vector-bits=256 %s | FileCheck --check-prefix=TWO %s
// RUN: cilk2chan-opt --lower-to-chan=batch-forms --chan-simd="vector-bits=128 lanes=32" --chan-to-host=vector-bits=128 %s | FileCheck --check-prefix=MANY %s

// They are the bits of a word.  Where there are registers for masks, that is
// one; else each lane compares its bit, if a lane has room for all.

llvm.func @f(%n: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %ends = llvm.icmp "slt" %n, %one : i32
  llvm.cond_br %ends, ^end(%n : i32), ^go
^go:
  %less = llvm.sub %n, %one : i32
  cilk.spawn @f(%less) to %x : !llvm.func<i32 (i32)>, i32
  %y = cilk.call @f(%less) : !llvm.func<i32 (i32)>, i32 -> i32
  cilk.sync
  %a = llvm.load %x : !llvm.ptr -> i32
  %b = llvm.xor %a, %y : i32
  llvm.br ^end(%b : i32)
^end(%r: i32):
  llvm.return %r : i32
}

// AVX512-LABEL: llvm.func internal @f.batch.1(
// AVX512: llvm.bitcast %{{.*}} : i8 to vector<8xi1>
// AVX512-NOT: dense<[1, 2, 4

// AVX2-LABEL: llvm.func internal @f.batch.1(
// AVX2: %[[OWN:.*]] = llvm.mlir.constant(dense<[1, 2, 4, 8, 16, 32, 64, 128]> : vector<8xi32>)
// AVX2: %[[WORD:.*]] = llvm.trunc %{{.*}} : i64 to i32
// AVX2: %[[ITS:.*]] = llvm.and %{{.*}}, %[[OWN]]
// AVX2: llvm.icmp "eq" %[[ITS]], %[[OWN]]

// TWO-LABEL: llvm.func internal @f.batch.1(
// TWO: %[[OWN:.*]] = llvm.mlir.constant(dense<[1, 2]> : vector<2xi64>)
// TWO-NOT: llvm.trunc
// TWO: %[[ITS:.*]] = llvm.and %{{.*}}, %[[OWN]]

// MANY-LABEL: llvm.func internal @f.batch.1(
// MANY: llvm.bitcast %{{.*}} : i32 to vector<32xi1>
