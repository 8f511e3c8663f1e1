// strands.mlir - Each activation of a module with reducers is told its strand.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan-opt --cilk-strands --split-input-file %s | FileCheck %s

// CHECK: module attributes {chan.strands}
module attributes {chan.strands} {
  llvm.func @other(i32)

  // CHECK-LABEL: llvm.func internal @f.strand(
  // CHECK-SAME: %[[N:.*]]: i32 {llvm.noundef}, %[[STRAND:.*]]: !llvm.ptr) attributes {chan.source = @f, chan.strands}
  // CHECK-NEXT: llvm.call @chan_strand_begin(%[[STRAND]])
  // CHECK-NEXT: %[[CHILD:.*]] = llvm.call @chan_strand_spawn(%[[STRAND]])
  // CHECK-NEXT: cilk.spawn @f.strand(%[[N]], %[[CHILD]]) : !llvm.func<void (i32, ptr)>, i32, !llvm.ptr {arg_attrs = [{llvm.noundef}, {}]}
  // CHECK-NEXT: llvm.call @chan_strand_resume(%[[STRAND]])
  // CHECK-NEXT: %[[PART:.*]] = llvm.call @chan_strand_call(%[[STRAND]])
  // CHECK-NEXT: cilk.call @f.strand(%[[N]], %[[PART]])
  // CHECK-NEXT: llvm.call @chan_strand_resume(%[[STRAND]])
  // CHECK-NEXT: %[[OTHER:.*]] = llvm.call @chan_strand_spawn(%[[STRAND]])
  // CHECK-NEXT: cilk.spawn @f.child.0(%[[N]], %[[OTHER]])
  // CHECK-NEXT: llvm.call @chan_strand_resume(%[[STRAND]])
  // CHECK-NEXT: llvm.call @chan_strand_suspend()
  // CHECK-NEXT: cilk.sync
  // CHECK-NEXT: llvm.call @chan_strand_sync(%[[STRAND]])
  // CHECK-NEXT: llvm.call @chan_strand_end(%[[STRAND]])
  // CHECK-NEXT: llvm.return
  llvm.func @f(%n: i32 {llvm.noundef}) {
    cilk.spawn @f(%n) : !llvm.func<void (i32)>, i32 {arg_attrs = [{llvm.noundef}]}
    cilk.call @f(%n) : !llvm.func<void (i32)>, i32
    cilk.spawn @other(%n) : !llvm.func<void (i32)>, i32
    cilk.sync
    llvm.return
  }

  // What is not known to spawn runs as a strand.
  // CHECK: llvm.func internal @f.child.0(%[[N:.*]]: i32, %[[STRAND:.*]]: !llvm.ptr)
  // CHECK-NEXT: llvm.call @chan_strand_begin(%[[STRAND]])
  // CHECK-NEXT: llvm.call @other(%[[N]])
  // CHECK-NEXT: llvm.call @chan_strand_end(%[[STRAND]])
  // CHECK-NEXT: llvm.return

  // The C symbol goes on in the strand of its caller.
  // CHECK: llvm.func @__chan_stub.f(%[[N:.*]]: i32)
  // CHECK-NEXT: %[[OUTER:.*]] = llvm.call @chan_strand_current()
  // CHECK-NEXT: %[[INNER:.*]] = llvm.call @chan_strand_enter(%[[OUTER]])
  // CHECK-NEXT: llvm.call @f.strand(%[[N]], %[[INNER]])
  // CHECK-NEXT: llvm.call @chan_strand_leave(%[[OUTER]], %[[INNER]])
  // CHECK-NEXT: llvm.return
  // CHECK: llvm.func @f(i32 {llvm.noundef})
}

// -----

// A function without a symbol in C keeps its name.  A pointer is called in a strand.
// CHECK-LABEL: llvm.func private @h(
// CHECK-SAME: %[[F:.*]]: !llvm.ptr, %[[STRAND:.*]]: !llvm.ptr)
// CHECK: cilk.spawn @h.child.0(%[[F]], %{{.*}}) to %{{.*}} : !llvm.func<i32 (ptr, ptr)>, !llvm.ptr, !llvm.ptr
// CHECK: llvm.func internal @h.child.0(%[[CALLEE:.*]]: !llvm.ptr, %{{.*}}: !llvm.ptr) -> i32
// CHECK: %[[RESULT:.*]] = llvm.call %[[CALLEE]]() : !llvm.ptr, () -> i32
// CHECK: llvm.return %[[RESULT]] : i32
module attributes {chan.strands} {
  llvm.func private @h(%f: !llvm.ptr) {
    %one = llvm.mlir.constant(1 : i32) : i32
    %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
    cilk.spawn %f() to %x : !llvm.func<i32 ()>
    cilk.sync
    llvm.return
  }
}

// -----

// Without reducers nothing changes.
// CHECK-LABEL: llvm.func @g(
// CHECK-NEXT: cilk.spawn @g(
// CHECK-NOT: chan_strand
llvm.func @g(%n: i32) {
  cilk.spawn @g(%n) : !llvm.func<void (i32)>, i32
  llvm.return
}
