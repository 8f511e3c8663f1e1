//===- remarks.mlir - What chan-simd says of each kernel ------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --chan-simd=vector-bits=256 --remarks-filter=chan-simd --split-input-file %s -o /dev/null 2>&1 | FileCheck %s

// The most frequent of the values that vary decides how many lanes there are.
// CHECK: 'wide' treats 4 elements at a time
chan.stack entry @s(n: i64, ret: !llvm.ptr)
chan.kernel @wide consumes @s frame 0 {
  %e = chan.deq : <@s>
  %n = chan.get "n" of %e : <@s> -> i64
  %ret = chan.get "ret" of %e : <@s> -> !llvm.ptr
  chan.tfree %e : <@s>
  %a = llvm.mul %n, %n : i64
  %b = llvm.mul %a, %n : i64
  %c = llvm.mul %b, %a : i64
  %d = llvm.xor %c, %a : i64
  %f = llvm.mul %d, %c : i64
  %g = llvm.mul %f, %d : i64
  %h = llvm.mul %g, %f : i64
  %i = llvm.mul %h, %g : i64
  chan.deliver %i to %ret : i64
  chan.done
}

// -----

// CHECK: 'narrow' treats 32 elements at a time
chan.stack entry @s(n: i8, p: !llvm.ptr)
chan.kernel @narrow consumes @s frame 0 {
  %e = chan.deq : <@s>
  %n = chan.get "n" of %e : <@s> -> i8
  %p = chan.get "p" of %e : <@s> -> !llvm.ptr
  chan.tfree %e : <@s>
  %a = llvm.mul %n, %n : i8
  %b = llvm.mul %a, %n : i8
  %c = llvm.mul %b, %a : i8
  %d = llvm.xor %c, %a : i8
  %f = llvm.mul %d, %c : i8
  %g = llvm.mul %f, %d : i8
  chan.deliver %g to %p : i8
  chan.done
}

// -----

// CHECK: 'loses' treats one element at a time: that takes about {{[0-9]+}} cycles for 4 elements, in lanes {{[0-9]+}}
chan.stack entry @s(p: !llvm.ptr)
chan.kernel @loses consumes @s frame 0 {
  %e = chan.deq : <@s>
  %p = chan.get "p" of %e : <@s> -> !llvm.ptr
  chan.tfree %e : <@s>
  %x = llvm.load %p : !llvm.ptr -> i64
  %q = llvm.load %p : !llvm.ptr -> !llvm.ptr
  llvm.store %x, %q : i64, !llvm.ptr
  chan.done
}

// -----

// How lanes go, and what they access.
llvm.mlir.global external @limit() : i32
chan.stack entry @s(n: i32, p: !llvm.ptr)
chan.kernel @explained consumes @s frame 0 {
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
