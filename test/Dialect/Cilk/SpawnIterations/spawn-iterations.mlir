//===- spawn-iterations.mlir - Parallel loops in recursion ----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --cilk-spawn-iterations %s | FileCheck %s
// RUN: cilk2chan-opt --cilk-spawn-iterations --cilk-for-to-spawn --lower-to-chan=batch-forms %s | FileCheck --check-prefix=BATCH %s

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

// What is computed of a result is computed behind the sync, of what is there.
// What else iterations do, they have done.
// CHECK-LABEL: llvm.func @h(
// CHECK-SAME: %[[N:.*]]: i64, %{{.*}}: !llvm.ptr)
// CHECK: %[[P:.*]] = llvm.alloca
// CHECK: %[[COUNTED:.*]] = llvm.icmp "ult" %{{.*}}, %[[N]] : i64
// CHECK: llvm.store %{{.*}}, %[[P]]
// CHECK: llvm.atomicrmw add
// CHECK: llvm.store
// CHECK: %[[AT:.*]] = llvm.getelementptr %[[P]]
// CHECK-NEXT: cilk.spawn @h(%{{.*}}) to %[[AT]]
// CHECK-NOT: llvm.mul
// CHECK: cilk.sync
// CHECK-NOT: cilk.for
// CHECK: ^{{.*}}(%[[J:.*]]: i64):
// CHECK-NEXT: llvm.icmp "ult" %[[J]], %[[N]] : i64
// CHECK-NOT: llvm.atomicrmw
// CHECK-NOT: llvm.store
// CHECK: %[[ODD:.*]] = llvm.trunc %[[J]] : i64 to i1
// CHECK: llvm.cond_br %[[ODD]]
// CHECK: %[[THERE:.*]] = llvm.getelementptr %[[P]][%[[J]]]
// CHECK-NEXT: %[[RESULT:.*]] = llvm.load %[[THERE]]
// CHECK-NEXT: %[[TWICE:.*]] = llvm.mul %[[RESULT]], %{{.*}}
// CHECK-NEXT: %[[MORE:.*]] = llvm.sub %[[J]], %[[TWICE]]
// CHECK-NEXT: llvm.store %[[MORE]], %[[THERE]]
// CHECK-NOT: llvm.store
// CHECK: llvm.return
llvm.func @h(%n: i64, %q: !llvm.ptr) -> i64 {
  %many = llvm.mlir.constant(9 : i64) : i64
  %p = llvm.alloca %many x i64 : (i64) -> !llvm.ptr
  cilk.for @__cilk_body.3(%p) times %n : !llvm.ptr
  llvm.return %n : i64
}
llvm.func internal @__cilk_body.3(%begin: i64, %end: i64, %p: !llvm.ptr) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %two = llvm.mlir.constant(2 : i64) : i64
  llvm.br ^header(%begin : i64)
^header(%i: i64):
  %more = llvm.icmp "ne" %i, %end : i64
  llvm.cond_br %more, ^iteration, ^end
^iteration:
  llvm.store %one, %p : i64, !llvm.ptr
  %before = llvm.atomicrmw add %p, %one monotonic : !llvm.ptr, i64
  %odd = llvm.trunc %i : i64 to i1
  llvm.cond_br %odd, ^call, ^next
^call:
  %after = llvm.add %before, %one : i64
  llvm.store %after, %p : i64, !llvm.ptr
  %result = cilk.call @h(%i, %p) : !llvm.func<i64 (i64, ptr)>, i64, !llvm.ptr -> i64
  %twice = llvm.mul %result, %two : i64
  %at = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %less = llvm.sub %i, %twice : i64
  llvm.store %less, %at : i64, !llvm.ptr
  llvm.br ^next
^next:
  %i2 = llvm.add %i, %one : i64
  llvm.br ^header(%i2 : i64)
^end:
  llvm.return
}

// Where ways to a store have come together, each stores.
// CHECK-LABEL: llvm.func @chosen(
// CHECK: %[[ODD:.*]] = llvm.trunc
// CHECK: llvm.cond_br %[[ODD]], ^[[CALL:.*]], ^[[OTHER:bb[0-9]+]]
// CHECK: ^[[CALL]]:
// CHECK: %[[AT:.*]] = llvm.getelementptr
// CHECK-NEXT: cilk.spawn @chosen(%{{.*}}) to %[[AT]]
// CHECK: ^[[OTHER]]:
// CHECK: %[[ELSE:.*]] = llvm.getelementptr
// CHECK-NEXT: llvm.store %{{.*}}, %[[ELSE]]
// CHECK: cilk.sync
llvm.func @chosen(%n: i64, %p: !llvm.ptr) -> i64 {
  cilk.for @__cilk_body.5(%p) times %n : !llvm.ptr
  llvm.return %n : i64
}
llvm.func internal @__cilk_body.5(%begin: i64, %end: i64, %p: !llvm.ptr) {
  %one = llvm.mlir.constant(1 : i64) : i64
  llvm.br ^header(%begin : i64)
^header(%i: i64):
  %more = llvm.icmp "ne" %i, %end : i64
  llvm.cond_br %more, ^iteration, ^end
^iteration:
  %odd = llvm.trunc %i : i64 to i1
  llvm.cond_br %odd, ^call, ^join(%i : i64)
^call:
  %result = cilk.call @chosen(%i, %p) : !llvm.func<i64 (i64, ptr)>, i64, !llvm.ptr -> i64
  llvm.br ^join(%result : i64)
^join(%value: i64):
  %at = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  llvm.store %value, %at : i64, !llvm.ptr
  %i2 = llvm.add %i, %one : i64
  llvm.br ^header(%i2 : i64)
^end:
  llvm.return
}

// Locals that only the body had by address are values; an array whose elements
// are chosen stays one.
// CHECK-LABEL: llvm.func @promoted(
// CHECK-SAME: %[[A:.*]]: i64, %[[B:.*]]: i64)
// CHECK-COUNT-1: llvm.alloca %{{.*}} x !llvm.array<4 x i64>
// CHECK-NOT: llvm.alloca
// CHECK: %[[SUM:.*]] = llvm.add %[[A]], %[[B]]
// CHECK: cilk.spawn @promoted(%[[SUM]], %[[B]])
llvm.func @promoted(%a: i64, %b: i64) -> i64 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %count = llvm.mlir.constant(4 : i64) : i64
  %s = llvm.alloca %one x !llvm.struct<"pair", (i64, i64)> : (i32) -> !llvm.ptr
  %v = llvm.alloca %one x !llvm.array<4 x i64> : (i32) -> !llvm.ptr
  llvm.store %a, %s : i64, !llvm.ptr
  %second = llvm.getelementptr %s[%zero, 1] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.struct<(i64, i64)>
  llvm.store %b, %second : i64, !llvm.ptr
  cilk.for @__cilk_body.4(%s, %v) times %count : !llvm.ptr, !llvm.ptr
  %result = llvm.load %v : !llvm.ptr -> i64
  llvm.return %result : i64
}
llvm.func internal @__cilk_body.4(%begin: i64, %end: i64, %s: !llvm.ptr, %v: !llvm.ptr) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %zero = llvm.mlir.constant(0 : i32) : i32
  llvm.br ^header(%begin : i64)
^header(%i: i64):
  %more = llvm.icmp "ne" %i, %end : i64
  llvm.cond_br %more, ^iteration, ^end
^iteration:
  %a = llvm.load %s : !llvm.ptr -> i64
  %second = llvm.getelementptr %s[%zero, 1] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.struct<"pair", (i64, i64)>
  %b = llvm.load %second : !llvm.ptr -> i64
  %sum = llvm.add %a, %b : i64
  %result = cilk.call @promoted(%sum, %b) : !llvm.func<i64 (i64, i64)>, i64, i64 -> i64
  %at = llvm.getelementptr %v[0, %i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i64>
  llvm.store %result, %at : i64, !llvm.ptr
  %i2 = llvm.add %i, %one : i64
  llvm.br ^header(%i2 : i64)
^end:
  llvm.return
}
