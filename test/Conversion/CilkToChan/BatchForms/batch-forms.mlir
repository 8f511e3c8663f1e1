//===- batch-forms.mlir - Phases of activations that stay in place --------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --lower-to-chan="batch-forms reductions=0" %s | FileCheck %s
// RUN: cilk2chan-opt --lower-to-chan %s | FileCheck --check-prefix=OFF %s
// RUN: cilk2chan-opt --lower-to-chan="batch-forms reductions=0" %s | FileCheck --check-prefix=APPLY %s
// RUN: cilk2chan-opt --lower-to-chan="batch-forms reductions=0 hoist=0" %s | FileCheck --check-prefix=LEAVES %s
// LEAVES: chan.kernel @fib.batch.0
// LEAVES: %[[N1:.*]] = llvm.sub
// LEAVES-NEXT: %[[C:.*]] = chan.talloc
// LEAVES-NEXT: chan.set "a0" of %[[C]] to %[[N1]]
// APPLY: llvm.func @__cilk_apply.0(!llvm.ptr, !llvm.ptr){{$}}
// OFF-NOT: batch
// OFF-NOT: phase

// Children in the order of their parents: results need no memory.  A child that
// would end at its test is none: the parent runs the test, and in the second
// phase computes what the child would have returned.
// CHECK: chan.kernel @fib.batch.0 consumes @fib.entry produces [@fib.entry + 1] frame 4 phase 0{{.*}} source @fib
// CHECK: %[[N:.*]] = chan.get "a0"
// CHECK: chan.result %[[N]] : i32
// CHECK-NEXT: chan.done
// CHECK: %[[N1:.*]] = llvm.sub %[[N]]
// CHECK: %[[ENDS:.*]] = llvm.icmp "slt" %[[N1]]
// CHECK-NEXT: llvm.cond_br %[[ENDS]], ^[[AFTER:.*]], ^[[BEGINS:bb[0-9]+]]
// CHECK-NEXT: ^[[BEGINS]]:
// CHECK-NEXT: %[[C:.*]] = chan.talloc + 1 : <@fib.entry>
// CHECK-NEXT: chan.set "a0" of %[[C]] to %[[N1]]
// CHECK-NEXT: chan.enq %[[C]] site 0 : <@fib.entry>
// CHECK-NEXT: llvm.br ^[[AFTER]]
// CHECK: %[[TWICE:.*]] = llvm.add %[[N]], %[[N]]
// CHECK: chan.enq %{{.*}} site 1 : <@fib.entry>
// CHECK: %[[KEPT:.*]] = chan.local 0 size 4
// CHECK-NEXT: llvm.store %[[TWICE]], %[[KEPT]]
// CHECK-NEXT: chan.pend 1
// CHECK-NEXT: chan.done
// CHECK: chan.kernel @fib.batch.1 consumes @fib.entry frame 4 phase 1{{.*}} source @fib
// CHECK: %[[N:.*]] = chan.get "a0"
// CHECK: %[[KEPT:.*]] = chan.local 0 size 4
// CHECK-NEXT: %[[TWICE:.*]] = llvm.load %[[KEPT]]
// CHECK: %[[SPAWNED:.*]], %[[CHILD:.*]] = chan.child 0 : i1, i32
// CHECK: %[[N1:.*]] = llvm.sub %[[N]]
// CHECK: %[[X:.*]] = llvm.select %[[SPAWNED]], %[[CHILD]], %[[N1]]
// CHECK: chan.child 1 : i1, i32
// CHECK: %[[Y:.*]] = llvm.select
// CHECK-NOT: llvm.store
// CHECK: llvm.add %[[X]], %[[Y]]
// CHECK: chan.result
llvm.func @fib(%n: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %small = llvm.icmp "slt" %n, %two : i32
  llvm.cond_br %small, ^base, ^rest
^base:
  llvm.return %n : i32
^rest:
  %n1 = llvm.sub %n, %one : i32
  cilk.spawn @fib(%n1) to %x : !llvm.func<i32 (i32)>, i32
  %twice = llvm.add %n, %n : i32
  %n2 = llvm.sub %n, %two : i32
  %vy = cilk.call @fib(%n2) : !llvm.func<i32 (i32)>, i32 -> i32
  cilk.sync
  %vx = llvm.load %x : !llvm.ptr -> i32
  %sum = llvm.add %vx, %vy : i32
  %all = llvm.add %sum, %twice : i32
  llvm.return %all : i32
}

// A site in a loop: its results are received child by child, by the function
// that assigns them.
// CHECK: chan.kernel @count.batch.0 {{.*}} phase 0
// CHECK: chan.enq %{{.*}} site 0
// CHECK: chan.kernel @count.batch.1 {{.*}} phase 1
// CHECK-NOT: chan.child
// CHECK: chan.kernel @count.batch.result.0 consumes @count.entry frame 4 phase 2
// CHECK: %[[SUM:.*]] = chan.local 0 size 4
// CHECK: %{{.*}}, %[[V:.*]] = chan.child 0 : i1, i32
// CHECK-NOT: llvm.call
// CHECK: %[[OLD:.*]] = llvm.load %[[SUM]]
// CHECK: %[[NEW:.*]] = llvm.add %[[OLD]], %[[V]]
// CHECK: llvm.store %[[NEW]], %[[SUM]]
// CHECK: chan.done
llvm.func @__cilk_apply.0(%destination: !llvm.ptr, %result: !llvm.ptr) {
  %r = llvm.load %result : !llvm.ptr -> i32
  %old = llvm.load %destination : !llvm.ptr -> i32
  %new = llvm.add %old, %r : i32
  llvm.store %new, %destination : i32, !llvm.ptr
  llvm.return
}
llvm.func @count(%n: i32) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %sum = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.store %one, %sum : i32, !llvm.ptr
  llvm.br ^loop(%zero : i32)
^loop(%i: i32):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^body, ^end
^body:
  cilk.spawn @count(%i) to %sum apply @__cilk_apply.0 : !llvm.func<i32 (i32)>, i32
  %next = llvm.add %i, %one : i32
  llvm.br ^loop(%next : i32)
^end:
  cilk.sync
  %result = llvm.load %sum : !llvm.ptr -> i32
  llvm.return %result : i32
}

// A call's result is received into the locals, and what one phase has kept the
// next does not store again.
// CHECK: chan.kernel @after.batch.1 {{.*}} phase 1
// CHECK: chan.enq %{{.*}} site 1
// CHECK-NOT: llvm.store
// CHECK: chan.pend 2
// CHECK: chan.kernel @after.batch.2
// CHECK: chan.kernel @after.batch.result.1 {{.*}} phase 4
// CHECK: %{{.*}}, %[[V:.*]] = chan.child 1 : i1, i32
// CHECK-NEXT: %[[PLACE:.*]] = chan.local
// CHECK-NEXT: llvm.store %[[V]], %[[PLACE]]
llvm.func @after(%n: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %kept = llvm.mul %n, %n : i32
  %x = cilk.call @after(%kept) : !llvm.func<i32 (i32)>, i32 -> i32
  %y = cilk.call @after(%one) : !llvm.func<i32 (i32)>, i32 -> i32
  %sum = llvm.add %x, %y : i32
  %all = llvm.add %sum, %kept : i32
  llvm.return %all : i32
}

// A site that not every activation comes to: its parent assigns at once what a
// child that ends would have returned, since a later phase could not tell such
// a one from none.
// CHECK: chan.kernel @maybe.batch.0 {{.*}} phase 0
// CHECK: %[[X:.*]] = chan.local 0 size 4
// CHECK: llvm.sub
// CHECK: %[[ENDS:.*]] = llvm.icmp "eq" %{{.*}}, %{{.*}} : i32
// CHECK: chan.enq %{{.*}} site 0
// CHECK: llvm.cond_br %[[ENDS]], ^[[ASSIGN:bb[0-9]+]], ^{{bb[0-9]+}}
// CHECK-NEXT: ^[[ASSIGN]]:
// CHECK-NEXT: llvm.store %{{.*}}, %[[X]]
// CHECK: chan.kernel @maybe.batch.1 {{.*}} phase 1
// CHECK: %[[X:.*]] = chan.local 0 size 4
// CHECK: %[[SPAWNED:.*]], %[[CHILD:.*]] = chan.child 0 : i1, i32
// CHECK-NEXT: llvm.cond_br %[[SPAWNED]], ^[[ASSIGN:bb[0-9]+]], ^{{bb[0-9]+}}
// CHECK-NEXT: ^[[ASSIGN]]:
// CHECK-NEXT: llvm.store %[[CHILD]], %[[X]]
// CHECK: llvm.load %[[X]]
llvm.func @maybe(%n: i32, %b: i1) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %ends = llvm.icmp "eq" %n, %zero : i32
  llvm.cond_br %ends, ^base, ^rest
^base:
  llvm.return %one : i32
^rest:
  %next = llvm.sub %n, %one : i32
  llvm.cond_br %b, ^spawn, ^join
^spawn:
  cilk.spawn @maybe(%next, %b) to %x : !llvm.func<i32 (i32, i1)>, i32, i1
  llvm.br ^join
^join:
  cilk.spawn @maybe(%next, %b) : !llvm.func<i32 (i32, i1)>, i32, i1
  cilk.sync
  %vx = llvm.load %x : !llvm.ptr -> i32
  llvm.return %vx : i32
}

// Results are assigned in the order of the spawns, wherever control's blocks
// stand.
// CHECK: chan.kernel @order.batch.0 {{.*}} phase 0
// CHECK: %[[ONE:.*]] = llvm.mlir.constant(1 : i32)
// CHECK: %[[TWO:.*]] = llvm.mlir.constant(2 : i32)
// CHECK: chan.set "a0" of %[[C:.*]] to %[[TWO]]
// CHECK: chan.enq %[[C]] site 1
// CHECK: chan.set "a0" of %[[C:.*]] to %[[ONE]]
// CHECK: chan.enq %[[C]] site 0
// CHECK: chan.kernel @order.batch.1 {{.*}} phase 1
// CHECK: chan.child 0 : i1, i32
// CHECK: chan.child 1 : i1, i32
llvm.func @order(%n: i32, %b: i1) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.store %n, %x : i32, !llvm.ptr
  llvm.cond_br %b, ^last, ^first
^last:
  cilk.spawn @order(%two, %b) to %x apply @__cilk_apply.0 : !llvm.func<i32 (i32, i1)>, i32, i1
  cilk.sync
  %vx = llvm.load %x : !llvm.ptr -> i32
  llvm.return %vx : i32
^first:
  cilk.spawn @order(%one, %b) to %x apply @__cilk_apply.0 : !llvm.func<i32 (i32, i1)>, i32, i1
  llvm.br ^last
}

// A parent runs the test, and goes on to where a loop is not entered, if the
// order of results makes no difference; it assigns them at once. Where the
// result is added matters to signed overflow: nothing is said of that any more.
// The parameters that all have the same of are computed of such.
// CHECK: chan.kernel @leaf.batch.0 {{.*}} phase 0
// CHECK: %[[N:.*]] = chan.get "a0"
// CHECK: %[[STEP:.*]] = chan.get "a1"
// CHECK: %[[DEPTH:.*]] = chan.get "a2"
// CHECK: %[[LESS:.*]] = llvm.sub %[[N]], %{{.*}}
// CHECK: %[[DEEPER:.*]] = llvm.add %[[DEPTH]], %{{.*}}
// CHECK: %[[ZERO:.*]] = llvm.icmp "eq" %[[LESS]], %{{.*}}
// CHECK: %[[MORE:.*]] = llvm.icmp "slt" %{{.*}}, %[[LESS]]
// CHECK: %[[IDLE:.*]] = llvm.select %[[MORE]], %{{.*}}, %{{.*}} : i1, i1
// CHECK: %[[ENDS:.*]] = llvm.select %[[ZERO]], %{{.*}}, %[[IDLE]] : i1, i1
// CHECK: %[[RESULT:.*]] = llvm.select %[[ZERO]], %[[STEP]], %{{.*}} : i1, i32
// CHECK: llvm.cond_br %[[ENDS]], ^{{bb[0-9]+}}{{.*}}, ^[[SPAWN:bb[0-9]+]]
// CHECK: ^[[SPAWN]]:
// CHECK: chan.set "a0" of %[[C:.*]] to %[[LESS]]
// CHECK: chan.set "a1" of %[[C]] to %[[STEP]]
// CHECK: %[[AGAIN:.*]] = llvm.add %[[DEPTH]], %{{.*}}
// CHECK: chan.set "a2" of %[[C]] to %[[AGAIN]]
// CHECK: llvm.cond_br %[[ENDS]], ^[[ASSIGN:bb[0-9]+]]
// CHECK: llvm.add %{{.*}}, %[[RESULT]] : i32
// CHECK: chan.kernel @leaf.batch.result.0
// CHECK: llvm.add %{{.*}}, %{{.*}} : i32
llvm.func @__cilk_apply.1(%destination: !llvm.ptr, %result: !llvm.ptr) {
  %r = llvm.load %result : !llvm.ptr -> i32
  %old = llvm.load %destination : !llvm.ptr -> i32
  %new = llvm.add %old, %r overflow<nsw> : i32
  llvm.store %new, %destination : i32, !llvm.ptr
  llvm.return
}
llvm.func @leaf(%n: i32, %step: i32, %depth: i32) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %sum = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %none = llvm.icmp "eq" %n, %zero : i32
  llvm.cond_br %none, ^base, ^rest
^base:
  llvm.return %step : i32
^rest:
  llvm.store %depth, %sum : i32, !llvm.ptr
  llvm.br ^loop(%zero : i32)
^loop(%i: i32):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^body, ^end
^body:
  %less = llvm.sub %n, %i : i32
  %deeper = llvm.add %depth, %one : i32
  cilk.spawn @leaf(%less, %step, %deeper) to %sum apply @__cilk_apply.1 : !llvm.func<i32 (i32, i32, i32)>, i32, i32, i32
  %next = llvm.add %i, %one : i32
  llvm.br ^loop(%next : i32)
^end:
  cilk.sync
  %result = llvm.load %sum : !llvm.ptr -> i32
  llvm.return %result : i32
}

// Quotients are taken in the order of the spawns.
// CHECK: chan.kernel @product.batch.0 {{.*}} phase 0
// CHECK-NOT: llvm.sdiv
// CHECK: chan.kernel @product.batch.1
llvm.func @__cilk_apply.2(%destination: !llvm.ptr, %result: !llvm.ptr) {
  %r = llvm.load %result : !llvm.ptr -> i32
  %old = llvm.load %destination : !llvm.ptr -> i32
  %new = llvm.sdiv %old, %r : i32
  llvm.store %new, %destination : i32, !llvm.ptr
  llvm.return
}
llvm.func @product(%n: i32, %start: i32) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %none = llvm.icmp "eq" %n, %zero : i32
  llvm.cond_br %none, ^base, ^rest
^base:
  llvm.return %one : i32
^rest:
  llvm.store %start, %x : i32, !llvm.ptr
  llvm.br ^loop(%zero : i32)
^loop(%i: i32):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^body, ^end
^body:
  cilk.spawn @product(%i, %start) to %x apply @__cilk_apply.2 : !llvm.func<i32 (i32, i32)>, i32, i32
  %next = llvm.add %i, %one : i32
  llvm.br ^loop(%next : i32)
^end:
  cilk.sync
  %result = llvm.load %x : !llvm.ptr -> i32
  llvm.return %result : i32
}

// What begins a recursion has of one batch what that needs, and no more.
llvm.func @begin(%n: i32, %step: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %result = cilk.call @leaf(%n, %step, %one) : !llvm.func<i32 (i32, i32, i32)>, i32, i32, i32 -> i32
  llvm.return %result : i32
}

// CHECK: chan.stack entry @fib.entry{{.*}} batch [@fib.batch.0, @fib.batch.1] :
// CHECK: chan.stack entry @count.entry{{.*}} batch [@count.batch.0, @count.batch.1, @count.batch.result.0] result_handlers 1 :
// CHECK: chan.stack entry @leaf.entry{{.*}} result_handlers 1 uniform ["a1", "a2"] :
// CHECK: chan.stack entry @product.entry{{.*}} result_handlers 1 uniform ["a1"] :
// CHECK: chan.stack entry @begin.entry{{.*}} uniform ["a1"] :
