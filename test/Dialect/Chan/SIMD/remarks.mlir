//===- remarks.mlir - What chan-simd says of each kernel ------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --chan-simd="vector-bits=256" --remarks-filter=chan-simd --split-input-file %s -o /dev/null 2>&1 | FileCheck %s

// Half of what varies is at most as wide as decides how many lanes there are.
// CHECK: 'wide.batch.0' treats 4 elements at a time
chan.stack entry @s(n: i64, ret: !llvm.ptr) batch [@wide.batch.0]
chan.kernel @wide consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @wide.batch.0 consumes @s frame 0 phase 0 {
  %e = chan.deq : <@s>
  %n = chan.get "n" of %e : <@s> -> i64
  chan.tfree %e : <@s>
  %a = llvm.mul %n, %n : i64
  %b = llvm.mul %a, %n : i64
  %c = llvm.mul %b, %a : i64
  %d = llvm.xor %c, %a : i64
  %f = llvm.mul %d, %c : i64
  %g = llvm.mul %f, %d : i64
  %h = llvm.mul %g, %f : i64
  %i = llvm.mul %h, %g : i64
  chan.result %i : i64
  chan.done
}

// -----

// CHECK: 'narrow.batch.0' treats 32 elements at a time
chan.stack entry @s(n: i8, ret: !llvm.ptr) batch [@narrow.batch.0]
chan.kernel @narrow consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @narrow.batch.0 consumes @s frame 0 phase 0 {
  %e = chan.deq : <@s>
  %n = chan.get "n" of %e : <@s> -> i8
  chan.tfree %e : <@s>
  %a = llvm.mul %n, %n : i8
  %b = llvm.mul %a, %n : i8
  %c = llvm.mul %b, %a : i8
  %d = llvm.xor %c, %a : i8
  %f = llvm.mul %d, %c : i8
  %g = llvm.mul %f, %d : i8
  chan.result %g : i8
  chan.done
}

// -----

// One number for all kernels of a function.
// CHECK: 'f.batch.0' treats 8 elements at a time
// CHECK: 'f.batch.1' treats 8 elements at a time
// CHECK: 'g.batch.0' treats 4 elements at a time
chan.stack entry @s(n: i32, m: i64, ret: !llvm.ptr) batch [@f.batch.0, @f.batch.1]
chan.stack entry @u(n: i64, ret: !llvm.ptr) batch [@g.batch.0]
chan.kernel @f consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @f.batch.0 consumes @s produces [@s + 1] frame 0 phase 0 {
  %e = chan.deq : <@s>
  %n = chan.get "n" of %e : <@s> -> i32
  %m = chan.get "m" of %e : <@s> -> i64
  chan.tfree %e : <@s>
  %a = llvm.mul %n, %n : i32
  %b = llvm.mul %a, %n : i32
  %c = llvm.mul %b, %a : i32
  %d = llvm.xor %c, %a : i32
  %g = llvm.mul %d, %c : i32
  %h = llvm.mul %g, %d : i32
  %i = llvm.mul %h, %g : i32
  %j = llvm.mul %i, %h : i32
  %k = llvm.mul %j, %i : i32
  %l = llvm.mul %k, %j : i32
  %t = chan.talloc + 1 : <@s>
  chan.set "n" of %t to %l : <@s>, i32
  chan.set "m" of %t to %m : <@s>, i64
  chan.enq %t site 0 : <@s>
  chan.pend 1
  chan.done
}
chan.kernel @f.batch.1 consumes @s frame 0 phase 1 {
  %e = chan.deq : <@s>
  %n = chan.get "m" of %e : <@s> -> i64
  chan.tfree %e : <@s>
  %a = llvm.mul %n, %n : i64
  %b = llvm.mul %a, %n : i64
  %c = llvm.mul %b, %a : i64
  %d = llvm.xor %c, %a : i64
  %f = llvm.mul %d, %c : i64
  %g = llvm.mul %f, %d : i64
  %h = llvm.mul %g, %f : i64
  chan.result %h : i64
  chan.done
}
chan.kernel @g consumes @u frame 0 {
  %e = chan.deq : <@u>
  chan.tfree %e : <@u>
  chan.done
}
chan.kernel @g.batch.0 consumes @u frame 0 phase 0 {
  %e = chan.deq : <@u>
  %n = chan.get "n" of %e : <@u> -> i64
  chan.tfree %e : <@u>
  %a = llvm.mul %n, %n : i64
  %b = llvm.mul %a, %n : i64
  %c = llvm.mul %b, %a : i64
  %d = llvm.xor %c, %a : i64
  %f = llvm.mul %d, %c : i64
  %g = llvm.mul %f, %d : i64
  %h = llvm.mul %g, %f : i64
  chan.result %h : i64
  chan.done
}

// -----

// What only addresses are computed of does not count.
// CHECK: 'indexes.batch.0' treats 8 elements at a time
chan.stack entry @s(n: i32, p: !llvm.ptr, ret: !llvm.ptr) batch [@indexes.batch.0]
chan.kernel @indexes consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @indexes.batch.0 consumes @s frame 0 phase 0 {
  %e = chan.deq : <@s>
  %n = chan.get "n" of %e : <@s> -> i32
  %p = chan.get "p" of %e : <@s> -> !llvm.ptr
  chan.tfree %e : <@s>
  %a0 = llvm.mul %n, %n : i32
  %a1 = llvm.mul %a0, %n : i32
  %a2 = llvm.mul %a1, %n : i32
  %a3 = llvm.mul %a2, %n : i32
  %a4 = llvm.mul %a3, %n : i32
  %a5 = llvm.mul %a4, %n : i32
  %a6 = llvm.mul %a5, %n : i32
  %a7 = llvm.mul %a6, %n : i32
  %w0 = llvm.sext %a0 : i32 to i64
  %p0 = llvm.getelementptr %p[%w0] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %w1 = llvm.sext %a1 : i32 to i64
  %p1 = llvm.getelementptr %p0[%w1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %w2 = llvm.sext %a2 : i32 to i64
  %p2 = llvm.getelementptr %p1[%w2] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %w3 = llvm.sext %a3 : i32 to i64
  %p3 = llvm.getelementptr %p2[%w3] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %w4 = llvm.sext %a4 : i32 to i64
  %p4 = llvm.getelementptr %p3[%w4] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %w5 = llvm.sext %a5 : i32 to i64
  %p5 = llvm.getelementptr %p4[%w5] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %w6 = llvm.sext %a6 : i32 to i64
  %p6 = llvm.getelementptr %p5[%w6] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %w7 = llvm.sext %a7 : i32 to i64
  %p7 = llvm.getelementptr %p6[%w7] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %w8 = llvm.sext %a0 : i32 to i64
  %p8 = llvm.getelementptr %p7[%w8] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %w9 = llvm.sext %a1 : i32 to i64
  %p9 = llvm.getelementptr %p8[%w9] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %w10 = llvm.sext %a2 : i32 to i64
  %p10 = llvm.getelementptr %p9[%w10] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %w11 = llvm.sext %a3 : i32 to i64
  %p11 = llvm.getelementptr %p10[%w11] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %x = llvm.load %p11 {alignment = 1 : i64} : !llvm.ptr -> i32
  %r = llvm.xor %a7, %x : i32
  chan.result %r : i32
  chan.done
}

// -----

// CHECK: 'loses.batch.0' is not used for batches: that takes about {{[0-9]+}} cycles for 4 elements, in lanes {{[0-9]+}}
chan.stack entry @s(n: i64, p: !llvm.ptr) batch [@loses.batch.0]
chan.kernel @loses consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @loses.batch.0 consumes @s frame 0 phase 0 {
  %e = chan.deq : <@s>
  %n = chan.get "n" of %e : <@s> -> i64
  %p = chan.get "p" of %e : <@s> -> !llvm.ptr
  chan.tfree %e : <@s>
  llvm.store %n, %p : i64, !llvm.ptr
  chan.done
}

// -----

// How lanes go, and what they access.
llvm.mlir.global external @limit() : i32
chan.stack entry @s(n: i32, p: !llvm.ptr) batch [@explained.batch.0]
chan.kernel @explained consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @explained.batch.0 consumes @s frame 0 phase 0 {
  %e = chan.deq : <@s>
  %one = llvm.mlir.constant(1 : i32) : i32
  %own = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %n = chan.get "n" of %e : <@s> -> i32
  %p = chan.get "p" of %e : <@s> -> !llvm.ptr
  chan.tfree %e : <@s>
  %g = llvm.mlir.addressof @limit : !llvm.ptr
  // CHECK-DAG: [[#@LINE+1]]:{{.*}}all lanes access the same address
  %limit = llvm.load %g : !llvm.ptr -> i32
  // CHECK-DAG: [[#@LINE+1]]:{{.*}}lanes access neighbouring addresses
  llvm.store %n, %own : i32, !llvm.ptr
  // CHECK-DAG: [[#@LINE+1]]:{{.*}}lanes access addresses anywhere
  %x = llvm.load %p : !llvm.ptr -> i32
  %same = llvm.icmp "slt" %limit, %one : i32
  // CHECK-DAG: [[#@LINE+1]]:{{.*}}all lanes choose the same
  llvm.cond_br %same, ^one, ^loop(%one : i32)
^one:
  %differs = llvm.icmp "slt" %x, %n : i32
  // CHECK-DAG: [[#@LINE+1]]:{{.*}}lanes choose differently
  llvm.cond_br %differs, ^two, ^end
^two:
  llvm.store %x, %own : i32, !llvm.ptr
  llvm.br ^end
^loop(%i: i32):
  %j = llvm.add %i, %one : i32
  %more = llvm.icmp "slt" %j, %limit : i32
  // CHECK-DAG: [[#@LINE+1]]:{{.*}}all lanes leave the loop together
  llvm.cond_br %more, ^loop(%j : i32), ^other(%one : i32)
^other(%k: i32):
  %l = llvm.add %k, %one : i32
  %again = llvm.icmp "slt" %l, %n : i32
  // CHECK-DAG: [[#@LINE+1]]:{{.*}}lanes leave the loop one after another
  llvm.cond_br %again, ^other(%l : i32), ^end
^end:
  chan.done
}
