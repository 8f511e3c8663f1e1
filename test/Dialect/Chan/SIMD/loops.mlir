//===- loops.mlir - Loops that lanes leave together, or one by one --------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --chan-simd="lanes=4" %s | FileCheck %s

chan.stack entry @s(n: i32, ret: !llvm.ptr) batch [@together.batch.0]
chan.kernel @together consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}

// The counter is the same for all: a scalar, and so is the way out.
// CHECK-LABEL: chan.kernel @together.batch.0
// CHECK: %{{.*}}, %[[M:.*]] = chan.deq
// CHECK: %[[N:.*]] = chan.get "n"
// CHECK: %[[ZERO:.*]] = llvm.mlir.constant(0 : i32) : i32
// CHECK: llvm.br ^[[HEAD:bb[0-9]+]](%[[ZERO]], %[[N]], {{.*}} : i32, vector<4xi32>, {{.*}})
// CHECK: ^[[HEAD]](%[[I:[^:]*]]: i32, %[[P:[^:]*]]: vector<4xi32>
// CHECK: %[[Q:.*]] = llvm.mul %[[P]], %[[N]] : vector<4xi32>
// CHECK: %[[J:.*]] = llvm.add %[[I]], %{{.*}} : i32
// CHECK: %[[C:.*]] = llvm.icmp "slt" %[[J]], %{{.*}} : i32
// CHECK: llvm.cond_br %[[C]]
// CHECK-NOT: llvm.select
// CHECK: llvm.cond_br %{{.*}}, ^[[HEAD]](
// CHECK: chan.result %[[Q]] mask %[[M]]
chan.kernel @together.batch.0 consumes @s frame 0 phase 0 {
  %e = chan.deq : <@s>
  %n = chan.get "n" of %e : <@s> -> i32
  chan.tfree %e : <@s>
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %ten = llvm.mlir.constant(10 : i32) : i32
  llvm.br ^loop(%zero, %n : i32, i32)
^loop(%i: i32, %p: i32):
  %q = llvm.mul %p, %n : i32
  %j = llvm.add %i, %one : i32
  %more = llvm.icmp "slt" %j, %ten : i32
  llvm.cond_br %more, ^loop(%j, %q : i32, i32), ^after
^after:
  chan.result %q : i32
  chan.done
}

// The loop runs while any lane is in it. Its counter is a scalar, since those in
// the loop agree on it; behind the loop each lane has what it had last.
chan.stack entry @s1(n: i32, ret: !llvm.ptr) batch [@differ.batch.0]
chan.kernel @differ consumes @s1 frame 0 {
  %e = chan.deq : <@s1>
  chan.tfree %e : <@s1>
  chan.done
}
// CHECK-LABEL: chan.kernel @differ.batch.0
// CHECK: %{{.*}}, %[[M:.*]] = chan.deq
// CHECK: %[[N:.*]] = chan.get "n"
// CHECK: llvm.br ^[[HEAD:bb[0-9]+]](%{{.*}}, %{{.*}}, %[[M]], %{{.*}}, %{{.*}} : i32, i32, vector<4xi1>, vector<4xi32>, vector<4xi32>)
// CHECK: ^[[HEAD]](%[[I:[^:]*]]: i32, %{{[^:]*}}: i32, %[[IN:[^:]*]]: vector<4xi1>, %{{[^:]*}}: vector<4xi32>, %[[LAST:[^:]*]]: vector<4xi32>):
// CHECK: %[[J:.*]] = llvm.add %[[I]], %{{.*}} : i32
// CHECK: llvm.icmp "slt" %{{.*}}, %[[N]] : vector<4xi32>
// CHECK: %[[STAYS:.*]] = llvm.trunc %{{.*}} : vector<4xi8> to vector<4xi1>
// CHECK: %[[MORE:.*]] = llvm.select %[[IN]], %[[STAYS]], %{{.*}} : vector<4xi1>, vector<4xi1>
// CHECK: %[[NOW:.*]] = llvm.select %[[IN]], %{{.*}}, %[[LAST]] : vector<4xi1>, vector<4xi32>
// CHECK: %[[BITS:.*]] = llvm.bitcast %[[MORE]]
// CHECK: %[[ANY:.*]] = llvm.icmp "ne" %[[BITS]]
// CHECK: llvm.cond_br %[[ANY]], ^[[HEAD]](%[[J]], %[[J]], %[[MORE]], %{{.*}}, %[[NOW]]
// CHECK: chan.result %[[NOW]] mask %[[M]]
chan.kernel @differ.batch.0 consumes @s1 frame 0 phase 0 {
  %e = chan.deq : <@s1>
  %n = chan.get "n" of %e : <@s1> -> i32
  chan.tfree %e : <@s1>
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop(%zero : i32)
^loop(%i: i32):
  %j = llvm.add %i, %one : i32
  %more = llvm.icmp "slt" %j, %n : i32
  llvm.cond_br %more, ^loop(%j : i32), ^after
^after:
  chan.result %j : i32
  chan.done
}

// What differs between lanes is blended: a lane that has left keeps its own.
chan.stack entry @s2(n: i32, ret: !llvm.ptr) batch [@blend.batch.0]
chan.kernel @blend consumes @s2 frame 0 {
  %e = chan.deq : <@s2>
  chan.tfree %e : <@s2>
  chan.done
}
// CHECK-LABEL: chan.kernel @blend.batch.0
// CHECK: ^[[HEAD:bb[0-9]+]](%[[X:[^:]*]]: vector<4xi32>, %{{[^:]*}}: vector<4xi32>, %[[IN:[^:]*]]: vector<4xi1>):
// CHECK: %[[Y:.*]] = llvm.lshr %[[X]], %{{.*}} : vector<4xi32>
// CHECK: %[[KEPT:.*]] = llvm.select %[[IN]], %{{.*}}, %[[X]] : vector<4xi1>, vector<4xi32>
// CHECK: llvm.cond_br %{{.*}}, ^[[HEAD]](%[[KEPT]], %{{.*}}
chan.kernel @blend.batch.0 consumes @s2 frame 0 phase 0 {
  %e = chan.deq : <@s2>
  %n = chan.get "n" of %e : <@s2> -> i32
  chan.tfree %e : <@s2>
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop(%n : i32)
^loop(%x: i32):
  %y = llvm.lshr %x, %one : i32
  %more = llvm.icmp "ne" %y, %zero : i32
  llvm.cond_br %more, ^loop(%y : i32), ^after
^after:
  chan.result %x : i32
  chan.done
}

chan.stack entry @s9(n: i32, ret: !llvm.ptr) batch [@inner.batch.0]
chan.kernel @inner consumes @s9 frame 0 {
  %e = chan.deq : <@s9>
  chan.tfree %e : <@s9>
  chan.done
}
// A way out from deep inside the loop: the counter is a scalar all the same, and
// the lanes' elements at it are side by side.
// CHECK-LABEL: chan.kernel @inner.batch.0
// CHECK-NOT: gather
// CHECK: chan.done
chan.kernel @inner.batch.0 consumes @s9 frame 0 phase 0 {
  %e = chan.deq : <@s9>
  %n = chan.get "n" of %e : <@s9> -> i32
  chan.tfree %e : <@s9>
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %most = llvm.mlir.constant(8 : i32) : i32
  %array = llvm.alloca %one x !llvm.array<8 x i32> : (i32) -> !llvm.ptr
  %second = llvm.getelementptr %array[1] : (!llvm.ptr) -> !llvm.ptr, i32
  llvm.store %n, %array : i32, !llvm.ptr
  llvm.store %n, %second : i32, !llvm.ptr
  llvm.br ^head(%zero : i32)
^head(%i: i32):
  %more = llvm.icmp "slt" %i, %most : i32
  llvm.cond_br %more, ^body, ^out(%zero : i32)
^body:
  %odd = llvm.and %i, %one : i32
  %is = llvm.icmp "ne" %odd, %zero : i32
  llvm.cond_br %is, ^look, ^latch
^look:
  %at = llvm.getelementptr %array[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %value = llvm.load %at : !llvm.ptr -> i32
  %found = llvm.icmp "eq" %value, %n : i32
  llvm.cond_br %found, ^out(%i : i32), ^latch
^latch:
  %next = llvm.add %i, %one : i32
  llvm.br ^head(%next : i32)
^out(%r: i32):
  chan.result %r : i32
  chan.done
}

// Lanes that leave the inner loop leave the outer one, too. What the others go
// on with is what it was in front of the inner loop: a scalar.
llvm.mlir.global external @limit() : i32
chan.stack entry @s10(n: i32, ret: !llvm.ptr) batch [@search.batch.0]
chan.kernel @search consumes @s10 frame 0 {
  %e = chan.deq : <@s10>
  chan.tfree %e : <@s10>
  chan.done
}
// CHECK-LABEL: chan.kernel @search.batch.0
// CHECK: %[[N:.*]] = chan.get "n"
// CHECK: ^{{.*}}(%[[I:[^:]*]]: i32, %{{.*}}: vector<4xi1>
// CHECK: %[[NEXT:.*]] = llvm.add %[[I]], %{{.*}} : i32
// CHECK: ^{{.*}}(%[[J:[^:]*]]: i32, %{{.*}}: vector<4xi1>
// CHECK: %[[PRODUCT:.*]] = llvm.mul %[[I]], %[[J]] : i32
// CHECK: llvm.icmp "eq" %{{.*}}, %[[N]] : vector<4xi32>
chan.kernel @search.batch.0 consumes @s10 frame 0 phase 0 {
  %e = chan.deq : <@s10>
  %n = chan.get "n" of %e : <@s10> -> i32
  chan.tfree %e : <@s10>
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %address = llvm.mlir.addressof @limit : !llvm.ptr
  %m = llvm.load %address : !llvm.ptr -> i32
  llvm.br ^outer(%zero : i32)
^outer(%i: i32):
  %next = llvm.add %i, %one : i32
  %any = llvm.icmp "slt" %i, %m : i32
  llvm.cond_br %any, ^inner(%next : i32), ^none
^inner(%j: i32):
  %more = llvm.icmp "slt" %j, %m : i32
  llvm.cond_br %more, ^test, ^outer(%next : i32)
^test:
  %product = llvm.mul %i, %j : i32
  %found = llvm.icmp "eq" %product, %n : i32
  %after = llvm.add %j, %one : i32
  llvm.cond_br %found, ^some, ^inner(%after : i32)
^some:
  chan.result %one : i32
  chan.done
^none:
  chan.result %zero : i32
  chan.done
}
