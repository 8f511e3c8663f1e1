//===- objects.mlir - What each iteration has of its own ------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --cilk-spawn-iterations %s | FileCheck --check-prefix=COPY %s
// RUN: cilk2chan-opt --cilk-spawn-iterations --cilk-for-to-spawn --cilk-arrays-by-value %s | FileCheck --check-prefix=VALUE %s --implicit-check-not=.iterations
// RUN: cilk2chan-opt --cilk-spawn-iterations=objects=false %s | FileCheck --check-prefix=WITHOUT %s --implicit-check-not=.iterations

// The loop comes in place in a copy, where all iterations have the object in
// one place, outside of the loop.
// COPY-LABEL: llvm.func @read(
// COPY: cilk.for @__cilk_body.0
// COPY-LABEL: llvm.func @read.iterations(
// COPY-SAME: chan.divided = @read, chan.source = @read
// COPY: %[[OWN:.*]] = llvm.alloca %{{.*}} x !llvm.array<2 x i32> {"chan.of-iteration"}
// COPY: llvm.br ^[[HEADER:bb[0-9]+]](
// COPY: ^[[HEADER]](
// COPY: cilk.spawn @read.iterations(%[[OWN]], %{{.*}})
// COPY: cilk.sync

// What the copy passes goes by value, so it is the function now, and the
// function as it was is there for addresses.
// VALUE-LABEL: llvm.func internal @read.whole(
// VALUE: cilk.call @__cilk_range.0(
// VALUE-LABEL: llvm.func @read(
// VALUE-NOT: chan.divided
// VALUE-NOT: @__cilk_range
// VALUE: cilk.spawn @read.values(%{{.*}}, %{{.*}}, %{{.*}}) : !llvm.func<void (i32, i32, i32)>
// VALUE: llvm.call @read.whole(
// VALUE-LABEL: llvm.func private @read.values(
// VALUE: cilk.spawn @read.values(

// WITHOUT-LABEL: llvm.func @read(
// WITHOUT: cilk.for @__cilk_body.0
llvm.func @read(%from: !llvm.ptr, %n: i32) {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %many = llvm.icmp "sgt" %n, %zero : i32
  llvm.cond_br %many, ^loop, ^end
^loop:
  %count = llvm.zext %n : i32 to i64
  cilk.for @__cilk_body.0(%from, %n) times %count : !llvm.ptr, i32
  llvm.br ^end
^end:
  llvm.return
}
// Its body comes to that again.
// VALUE-LABEL: llvm.func internal @__cilk_body.0(
// VALUE: cilk.call @read.whole(
llvm.func internal @__cilk_body.0(%begin: i64, %end: i64, %from: !llvm.ptr, %n: i32) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %size = llvm.mlir.constant(1 : i32) : i32
  %own = llvm.alloca %size x !llvm.array<2 x i32> : (i32) -> !llvm.ptr
  llvm.br ^header(%begin : i64)
^header(%number: i64):
  %more = llvm.icmp "ne" %number, %end : i64
  llvm.cond_br %more, ^iteration, ^end
^iteration:
  %i = llvm.trunc %number : i64 to i32
  %value = llvm.load %from : !llvm.ptr -> i32
  %sum = llvm.add %value, %i : i32
  llvm.store %sum, %own : i32, !llvm.ptr
  %second = llvm.getelementptr %own[1] : (!llvm.ptr) -> !llvm.ptr, i32
  llvm.store %n, %second : i32, !llvm.ptr
  %less = llvm.sub %n, %size : i32
  cilk.call @read(%own, %less) : !llvm.func<void (ptr, i32)>, !llvm.ptr, i32
  cilk.sync
  %next = llvm.add %number, %one : i64
  llvm.br ^header(%next : i64)
^end:
  llvm.return
}

// Who is called stores there, too: it has an address, and the copy goes.
// COPY-LABEL: llvm.func @written.iterations(
// COPY: cilk.spawn @written.iterations(
// VALUE-LABEL: llvm.func @written(
// VALUE: cilk.call @__cilk_range.1(
// VALUE-NOT: @written.byval
llvm.func @written(%own: !llvm.ptr, %n: i32) {
  %zero = llvm.mlir.constant(0 : i32) : i32
  llvm.store %n, %own : i32, !llvm.ptr
  %many = llvm.icmp "sgt" %n, %zero : i32
  llvm.cond_br %many, ^loop, ^end
^loop:
  %count = llvm.zext %n : i32 to i64
  cilk.for @__cilk_body.1(%own, %n) times %count : !llvm.ptr, i32
  llvm.br ^end
^end:
  llvm.return
}
llvm.func internal @__cilk_body.1(%begin: i64, %end: i64, %from: !llvm.ptr, %n: i32) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %size = llvm.mlir.constant(1 : i32) : i32
  %own = llvm.alloca %size x i32 : (i32) -> !llvm.ptr
  llvm.br ^header(%begin : i64)
^header(%number: i64):
  %more = llvm.icmp "ne" %number, %end : i64
  llvm.cond_br %more, ^iteration, ^end
^iteration:
  %value = llvm.load %from : !llvm.ptr -> i32
  llvm.store %value, %own : i32, !llvm.ptr
  %less = llvm.sub %n, %size : i32
  cilk.call @written(%own, %less) : !llvm.func<void (ptr, i32)>, !llvm.ptr, i32
  cilk.sync
  %next = llvm.add %number, %one : i64
  llvm.br ^header(%next : i64)
^end:
  llvm.return
}

// It is known elsewhere, or a part of it is: no copy.
// COPY-NOT: .iterations
llvm.mlir.global internal @known() : !llvm.ptr {
  %null = llvm.mlir.zero : !llvm.ptr
  llvm.return %null : !llvm.ptr
}
llvm.func @escapes(%n: i32) {
  %count = llvm.zext %n : i32 to i64
  cilk.for @__cilk_body.2(%n) times %count : i32
  llvm.return
}
llvm.func internal @__cilk_body.2(%begin: i64, %end: i64, %n: i32) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %size = llvm.mlir.constant(1 : i32) : i32
  %known = llvm.mlir.addressof @known : !llvm.ptr
  %own = llvm.alloca %size x i32 : (i32) -> !llvm.ptr
  llvm.br ^header(%begin : i64)
^header(%number: i64):
  %more = llvm.icmp "ne" %number, %end : i64
  llvm.cond_br %more, ^iteration, ^end
^iteration:
  llvm.store %own, %known : !llvm.ptr, !llvm.ptr
  %less = llvm.sub %n, %size : i32
  cilk.call @escapes(%less) : !llvm.func<void (i32)>, i32
  cilk.sync
  %next = llvm.add %number, %one : i64
  llvm.br ^header(%next : i64)
^end:
  llvm.return
}
