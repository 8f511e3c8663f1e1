//===- spawn-iterations.mlir - Parallel loops in recursion ----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --cilk-spawn-iterations %s | FileCheck %s
// RUN: cilk2chan-opt --cilk-spawn-iterations --cilk-for-to-spawn --cilk-to-chan=batch-forms %s | FileCheck --check-prefix=BATCH %s

// What an iteration calls comes to the loop again: it is spawned by the loop's
// function, each time, to where its result was stored; the loop is C's, by its
// own variable and end, and waits for all.
// BATCH: chan.kernel @f.batch.0
// CHECK-LABEL: llvm.func @f(
// CHECK-SAME: %[[N:.*]]: i32, %[[P:.*]]: !llvm.ptr)
// CHECK: %[[ZERO:.*]] = llvm.mlir.constant(0 : i32)
// CHECK: llvm.br ^[[HEADER:bb[0-9]+]](%{{.*}} : i32)
// CHECK: ^[[HEADER]](%[[I:.*]]: i32):
// CHECK: %[[MORE:.*]] = llvm.icmp "slt" %[[I]], %[[N]] : i32
// CHECK: llvm.cond_br %[[MORE]], ^[[ITERATION:.*]], ^[[END:bb[0-9]+]]
// CHECK: ^[[ITERATION]]:
// CHECK: llvm.store
// CHECK: llvm.cond_br %{{.*}}, ^[[SPAWN:.*]], ^[[NEXT:bb[0-9]+]]
// CHECK: ^[[SPAWN]]:
// CHECK: %[[AT:.*]] = llvm.getelementptr %[[P]]
// CHECK-NEXT: cilk.spawn @f(%[[I]], %[[P]]) to %[[AT]] : !llvm.func<i64 (i32, ptr)>
// CHECK-NEXT: llvm.br ^[[NEXT]]
// CHECK: ^[[NEXT]]:
// CHECK-NEXT: %[[MORE:.*]] = llvm.add %[[I]]
// CHECK-NEXT: llvm.br ^[[HEADER]](%[[MORE]] : i32)
// CHECK: cilk.sync
// CHECK-NOT: @__cilk_body.0
llvm.func @f(%n: i32, %p: !llvm.ptr) -> i64 {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %long = llvm.sext %n : i32 to i64
  %some = llvm.icmp "slt" %zero, %long : i64
  %count = llvm.select %some, %long, %zero : i1, i64
  cilk.for @__cilk_body.0(%p) times %count : !llvm.ptr
  %result = llvm.load %p : !llvm.ptr -> i64
  llvm.return %result : i64
}
llvm.func internal @__cilk_body.0(%begin: i64, %end: i64, %p: !llvm.ptr) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %short = llvm.mlir.constant(1 : i32) : i32
  %first = llvm.trunc %begin : i64 to i32
  llvm.br ^header(%begin, %first : i64, i32)
^header(%number: i64, %i: i32):
  %more = llvm.icmp "ne" %number, %end : i64
  llvm.cond_br %more, ^iteration, ^end
^iteration:
  llvm.store %zero, %p : i64, !llvm.ptr
  %odd = llvm.trunc %i : i32 to i1
  llvm.cond_br %odd, ^call, ^next
^call:
  %result = cilk.call @f(%i, %p) : !llvm.func<i64 (i32, ptr)>, i32, !llvm.ptr -> i64
  %at = llvm.getelementptr %p[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i64
  llvm.store %result, %at : i64, !llvm.ptr
  llvm.br ^next
^next:
  %number2 = llvm.add %number, %one : i64
  %i2 = llvm.add %i, %short : i32
  llvm.br ^header(%number2, %i2 : i64, i32)
^end:
  llvm.return
}

// Loops may be nested, and who calls whom go round about.
// CHECK-LABEL: llvm.func @g(
// CHECK-NOT: cilk.for
// CHECK: llvm.icmp "ult" %{{.*}}, %{{.*}} : i64
// CHECK: llvm.icmp "ult" %{{.*}}, %{{.*}} : i64
// CHECK: cilk.spawn @g2(%{{.*}}) : !llvm.func<void (i64)>, i64
// CHECK: cilk.sync
// CHECK-NOT: cilk.sync
// CHECK: llvm.return
llvm.func @g(%n: i64) {
  cilk.for @__cilk_body.1() times %n
  llvm.return
}
llvm.func @g2(%n: i64) {
  cilk.call @g(%n) : !llvm.func<void (i64)>, i64
  llvm.return
}
llvm.func internal @__cilk_body.1(%begin: i64, %end: i64) {
  %one = llvm.mlir.constant(1 : i64) : i64
  llvm.br ^header(%begin : i64)
^header(%i: i64):
  %more = llvm.icmp "ne" %i, %end : i64
  llvm.cond_br %more, ^iteration, ^end
^iteration:
  cilk.for @__cilk_body.2(%i) times %i : i64
  cilk.sync
  %i2 = llvm.add %i, %one : i64
  llvm.br ^header(%i2 : i64)
^end:
  llvm.return
}
llvm.func internal @__cilk_body.2(%begin: i64, %end: i64, %n: i64) {
  %one = llvm.mlir.constant(1 : i64) : i64
  llvm.br ^header(%begin : i64)
^header(%i: i64):
  %more = llvm.icmp "ne" %i, %end : i64
  llvm.cond_br %more, ^iteration, ^end
^iteration:
  %less = llvm.sub %n, %i : i64
  cilk.call @g2(%less) : !llvm.func<void (i64)>, i64
  %i2 = llvm.add %i, %one : i64
  llvm.br ^header(%i2 : i64)
^end:
  llvm.return
}
