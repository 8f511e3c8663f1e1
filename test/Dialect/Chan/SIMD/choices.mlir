//===- choices.mlir - Choices become masks where lanes make them differently -===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --chan-simd="lanes=4" %s | FileCheck %s

llvm.mlir.global external @global() : i32
chan.stack entry @s(n: i32, x: i32, p: !llvm.ptr, ret: !llvm.ptr) batch [@differ.batch.0, @differ.batch.1]

// An arm that no lane takes is skipped, and poison of other lanes goes into no
// mask.
// CHECK-LABEL: chan.kernel @differ.batch.0
// CHECK: %[[E:.*]], %[[M:.*]] = chan.deq
// CHECK: %[[N:.*]] = chan.get "n" of %[[E]] : <@s> -> vector<4xi32>
// CHECK: %[[C:.*]] = llvm.icmp "slt" %[[N]], %{{.*}} : vector<4xi32>
// CHECK: %[[YES:.*]] = llvm.select %[[M]], %[[C]], %{{.*}} : vector<4xi1>, vector<4xi1>
// CHECK: %[[OTHERS:.*]] = llvm.xor %[[YES]], %{{.*}}
// CHECK: %[[NO:.*]] = llvm.and %[[M]], %[[OTHERS]]
// CHECK: %[[BITS:.*]] = llvm.bitcast %[[YES]] : vector<4xi1> to i4
// CHECK: %[[ANY:.*]] = llvm.icmp "ne" %[[BITS]]
// CHECK: llvm.cond_br %[[ANY]], ^[[LEAF:.*]], ^[[REST:bb[0-9]+]]
// CHECK: ^[[LEAF]]:
// CHECK: llvm.intr.masked.scatter %{{.*}}, %{{.*}}, %[[YES]]
// CHECK: chan.result %{{.*}} mask %[[YES]] : vector<4xi32>, vector<4xi1>
// CHECK: llvm.br ^[[REST]]
// CHECK: ^[[REST]]:
// CHECK: llvm.bitcast %[[NO]] : vector<4xi1> to i4
// CHECK: %[[T:.*]] = chan.talloc + 1 : <@s> mask %[[NO]] : vector<4xi1>
// CHECK: chan.set "n" of %[[T]] to %{{.*}} : <@s>, vector<4xi32>
// CHECK: chan.enq %[[T]] site 0
// CHECK: chan.pend 1 mask %[[NO]]
// CHECK: chan.tfree %[[E]]
// CHECK-NEXT: chan.done
chan.kernel @differ consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @differ.batch.0 consumes @s produces [@s + 1] frame 0 phase 0 {
  %e = chan.deq : <@s>
  %n = chan.get "n" of %e : <@s> -> i32
  %x = chan.get "x" of %e : <@s> -> i32
  %to = chan.get "p" of %e : <@s> -> !llvm.ptr
  chan.tfree %e : <@s>
  %two = llvm.mlir.constant(2 : i32) : i32
  %c = llvm.icmp "slt" %n, %two : i32
  llvm.cond_br %c, ^leaf, ^inner
^leaf:
  llvm.store %n, %to : i32, !llvm.ptr
  chan.result %x : i32
  chan.done
^inner:
  %less = llvm.sub %n, %x : i32
  %p = llvm.mlir.addressof @global : !llvm.ptr
  %g = llvm.load %p : !llvm.ptr -> i32
  %t = chan.talloc + 1 : <@s>
  chan.set "n" of %t to %less : <@s>, i32
  chan.set "x" of %t to %g : <@s>, i32
  chan.set "p" of %t to %to : <@s>, !llvm.ptr
  chan.enq %t site 0 : <@s>
  chan.pend 1
  chan.done
}
chan.kernel @differ.batch.1 consumes @s frame 0 phase 1 {
  %e = chan.deq : <@s>
  %spawned, %result = chan.child 0 : i1, i32
  chan.tfree %e : <@s>
  chan.result %result : i32
  chan.done
}

// A choice that all make alike stays a branch; it has no say in the mask.
chan.stack entry @s1(n: i32, ret: !llvm.ptr) batch [@agree.batch.0]
// CHECK-LABEL: chan.kernel @agree.batch.0
// CHECK: %{{.*}}, %[[M:.*]] = chan.deq
// CHECK: %[[G:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i32
// CHECK: %[[C:.*]] = llvm.icmp "eq" %[[G]], %{{.*}} : i32
// CHECK: llvm.cond_br %[[C]], ^[[YES:bb[0-9]+]], ^[[NO:bb[0-9]+]]
// CHECK: ^[[YES]]:
// CHECK: llvm.br ^[[AFTER:bb[0-9]+]](%{{.*}} : vector<4xi32>)
// CHECK: ^[[AFTER]](%[[RESULT:.*]]: vector<4xi32>):
// CHECK: chan.result %[[RESULT]] mask %[[M]]
chan.kernel @agree consumes @s1 frame 0 {
  %e = chan.deq : <@s1>
  chan.tfree %e : <@s1>
  chan.done
}
chan.kernel @agree.batch.0 consumes @s1 frame 0 phase 0 {
  %e = chan.deq : <@s1>
  %n = chan.get "n" of %e : <@s1> -> i32
  chan.tfree %e : <@s1>
  %p = llvm.mlir.addressof @global : !llvm.ptr
  %g = llvm.load %p : !llvm.ptr -> i32
  %c = llvm.icmp "eq" %g, %g : i32
  llvm.cond_br %c, ^after(%n : i32), ^other
^other:
  %m = llvm.mul %n, %n : i32
  llvm.br ^after(%m : i32)
^after(%r: i32):
  chan.result %r : i32
  chan.done
}

// A few operations without effect are done for all; each case has its mask.
chan.stack entry @s2(n: i32, ret: !llvm.ptr) batch [@cases.batch.0]
// CHECK-LABEL: chan.kernel @cases.batch.0
// CHECK: %{{.*}}, %[[M:.*]] = chan.deq
// CHECK: %[[IS5:.*]] = llvm.icmp "eq" %[[N:.*]], %{{.*}} : vector<4xi32>
// CHECK: %[[M5:.*]] = llvm.select %[[M]], %[[IS5]]
// CHECK-NOT: cond_br
// CHECK: %[[R5:.*]] = llvm.mul %[[N]], %[[N]] : vector<4xi32>
// CHECK: %[[IS9:.*]] = llvm.icmp "eq" %[[N]], %{{.*}} : vector<4xi32>
// CHECK: %[[M9:.*]] = llvm.select %[[M]], %[[IS9]]
// CHECK: %[[R9:.*]] = llvm.add %[[N]], %[[N]] : vector<4xi32>
// CHECK: %[[R:.*]] = llvm.select %[[M9]], %[[R9]], %[[R5]]
// CHECK: llvm.select %{{.*}}, %[[N]], %[[R]]
chan.kernel @cases consumes @s2 frame 0 {
  %e = chan.deq : <@s2>
  chan.tfree %e : <@s2>
  chan.done
}
chan.kernel @cases.batch.0 consumes @s2 frame 0 phase 0 {
  %e = chan.deq : <@s2>
  %n = chan.get "n" of %e : <@s2> -> i32
  chan.tfree %e : <@s2>
  llvm.switch %n : i32, ^after(%n : i32) [
    5: ^five,
    9: ^nine
  ]
^five:
  %a = llvm.mul %n, %n : i32
  llvm.br ^after(%a : i32)
^nine:
  %b = llvm.add %n, %n : i32
  llvm.br ^after(%b : i32)
^after(%r: i32):
  chan.result %r : i32
  chan.done
}

// No lane divides by zero that would not have done so.
chan.stack entry @s3(n: i32, by: i32, ret: !llvm.ptr) batch [@divides.batch.0]
// CHECK-LABEL: chan.kernel @divides.batch.0
// CHECK: %[[BY:.*]] = chan.get "by"
// CHECK: %[[YES:.*]] = llvm.select %{{.*}}, %{{.*}}, %{{.*}} : vector<4xi1>, vector<4xi1>
// CHECK: llvm.cond_br
// CHECK: %[[ONE:.*]] = llvm.mlir.constant(dense<1> : vector<4xi32>)
// CHECK: %[[SAFE:.*]] = llvm.select %[[YES]], %[[BY]], %[[ONE]]
// CHECK: %[[DIVISOR:.*]] = llvm.sitofp %[[SAFE]] : vector<4xi32> to vector<4xf64>
// CHECK: %[[EXACT:.*]] = llvm.fdiv %{{.*}}, %[[DIVISOR]] : vector<4xf64>
// CHECK: llvm.fptosi %[[EXACT]] : vector<4xf64> to vector<4xi32>
// CHECK-NOT: dense<1>
// CHECK: llvm.urem %{{.*}}, %{{.*}} : vector<4xi32>
chan.kernel @divides consumes @s3 frame 0 {
  %e = chan.deq : <@s3>
  chan.tfree %e : <@s3>
  chan.done
}
chan.kernel @divides.batch.0 consumes @s3 frame 0 phase 0 {
  %e = chan.deq : <@s3>
  %n = chan.get "n" of %e : <@s3> -> i32
  %by = chan.get "by" of %e : <@s3> -> i32
  chan.tfree %e : <@s3>
  %zero = llvm.mlir.constant(0 : i32) : i32
  %seven = llvm.mlir.constant(7 : i32) : i32
  %c = llvm.icmp "ne" %by, %zero : i32
  llvm.cond_br %c, ^divide, ^after(%n : i32)
^divide:
  %q = llvm.sdiv %n, %by : i32
  %r = llvm.urem %q, %seven : i32
  llvm.br ^after(%r : i32)
^after(%result: i32):
  chan.result %result : i32
  chan.done
}

// What all lanes have the same is inverted once, and no lane divides by zero if no
// lane is there.
chan.stack entry @s4(n: i32, ret: !llvm.ptr) batch [@divides_by_one.batch.0]
llvm.mlir.global internal @shared(3 : i32) : i32
// CHECK-LABEL: chan.kernel @divides_by_one.batch.0
// CHECK: %[[BY:.*]] = llvm.load
// CHECK: llvm.cond_br
// CHECK: %[[IS_ZERO:.*]] = llvm.icmp "eq" %[[BY]]
// CHECK: %[[SAFE:.*]] = llvm.select %[[IS_ZERO]], %{{.*}}, %[[BY]] : i1, i32
// CHECK: %[[EXACT:.*]] = llvm.sitofp %{{.*}} : vector<4xi32> to vector<4xf64>
// CHECK: %[[DIVISOR:.*]] = llvm.sitofp %[[SAFE]] : i32 to f64
// CHECK: %[[INVERSE:.*]] = llvm.fdiv %{{.*}}, %[[DIVISOR]] : f64
// CHECK: llvm.fmul %[[INVERSE]], %{{.*}} : f64
// CHECK: %[[PRODUCT:.*]] = llvm.fmul %[[EXACT]], %{{.*}} : vector<4xf64>
// CHECK: %[[QUOTIENT:.*]] = llvm.fptosi %[[PRODUCT]]
// CHECK: llvm.freeze %[[QUOTIENT]]
chan.kernel @divides_by_one consumes @s4 frame 0 {
  %e = chan.deq : <@s4>
  chan.tfree %e : <@s4>
  chan.done
}
chan.kernel @divides_by_one.batch.0 consumes @s4 frame 0 phase 0 {
  %e = chan.deq : <@s4>
  %n = chan.get "n" of %e : <@s4> -> i32
  chan.tfree %e : <@s4>
  %zero = llvm.mlir.constant(0 : i32) : i32
  %place = llvm.mlir.addressof @shared : !llvm.ptr
  %by = llvm.load %place : !llvm.ptr -> i32
  %c = llvm.icmp "ne" %n, %zero : i32
  llvm.cond_br %c, ^divide, ^after(%n : i32)
^divide:
  %q = llvm.sdiv %n, %by : i32
  llvm.br ^after(%q : i32)
^after(%result: i32):
  chan.result %result : i32
  chan.done
}

// What both arms yield is of before the choice. An arm's own is poison if no
// lane takes that arm.
chan.stack entry @s9(n: i32, p: !llvm.ptr, ret: !llvm.ptr) batch [@same.batch.0]
// CHECK-LABEL: chan.kernel @same.batch.0
// CHECK: %[[G:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i32
// CHECK: llvm.intr.masked.scatter
// CHECK: llvm.intr.masked.scatter
// CHECK: %[[FIRST:.*]] = llvm.insertelement %[[G]],
// CHECK: %[[ALL:.*]] = llvm.shufflevector %[[FIRST]]
// CHECK: chan.result %[[ALL]] mask
// CHECK-NEXT: chan.tfree
chan.kernel @same consumes @s9 frame 0 {
  %e = chan.deq : <@s9>
  chan.tfree %e : <@s9>
  chan.done
}
chan.kernel @same.batch.0 consumes @s9 frame 0 phase 0 {
  %e = chan.deq : <@s9>
  %n = chan.get "n" of %e : <@s9> -> i32
  %to = chan.get "p" of %e : <@s9> -> !llvm.ptr
  chan.tfree %e : <@s9>
  %p = llvm.mlir.addressof @global : !llvm.ptr
  %g = llvm.load %p : !llvm.ptr -> i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %c = llvm.icmp "slt" %n, %two : i32
  llvm.cond_br %c, ^less, ^more
^less:
  llvm.store %two, %to : i32, !llvm.ptr
  llvm.br ^after(%g : i32)
^more:
  llvm.store %g, %to : i32, !llvm.ptr
  llvm.br ^after(%g : i32)
^after(%result: i32):
  chan.result %result : i32
  chan.done
}
