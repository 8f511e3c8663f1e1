//===- size.mlir - A limit to the code of a kernel with lanes -------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --chan-simd="lanes=64" --remarks-filter=chan-simd %s -o %t 2>&1 | FileCheck --check-prefix=LARGE %s
// RUN: FileCheck --check-prefix=GONE --implicit-check-not=@large.batch.0 %s < %t
// GONE: chan.kernel @large consumes
// RUN: cilk2chan-opt --chan-simd="lanes=64 vector-bits=512" --remarks-filter=chan-simd %s -o /dev/null 2>&1 | FileCheck --check-prefix=SMALL %s
// RUN: cilk2chan-opt --chan-simd="lanes=4" --remarks-filter=chan-simd %s -o /dev/null 2>&1 | FileCheck --check-prefix=SMALL %s

// Without gather and scatter an access is code for each lane, and there is a limit to code.
// LARGE: 'large.batch.0' is not used for batches: with 64 lanes it would have about {{[0-9]+}} instructions, and {{[0-9]+}} are the most
// SMALL: 'large.batch.0' treats {{[0-9]+}} elements at a time
chan.stack entry @s(p: !llvm.ptr) batch [@large.batch.0]
chan.kernel @large consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @large.batch.0 consumes @s frame 0 phase 0 {
  %e = chan.deq : <@s>
  %p = chan.get "p" of %e : <@s> -> !llvm.ptr
  chan.tfree %e : <@s>
  %x0 = llvm.load %p : !llvm.ptr -> i32
  %a0 = llvm.getelementptr %p[4] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %x0, %a0 : i32, !llvm.ptr
  %x1 = llvm.load %p : !llvm.ptr -> i32
  %a1 = llvm.getelementptr %p[8] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %x1, %a1 : i32, !llvm.ptr
  %x2 = llvm.load %p : !llvm.ptr -> i32
  %a2 = llvm.getelementptr %p[12] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %x2, %a2 : i32, !llvm.ptr
  %x3 = llvm.load %p : !llvm.ptr -> i32
  %a3 = llvm.getelementptr %p[16] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %x3, %a3 : i32, !llvm.ptr
  %x4 = llvm.load %p : !llvm.ptr -> i32
  %a4 = llvm.getelementptr %p[20] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %x4, %a4 : i32, !llvm.ptr
  %x5 = llvm.load %p : !llvm.ptr -> i32
  %a5 = llvm.getelementptr %p[24] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %x5, %a5 : i32, !llvm.ptr
  chan.done
}
