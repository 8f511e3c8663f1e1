//===- minimally-optimised.mlir - Kernels on which LLVM spends no time ----===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --chan-to-host %s | FileCheck %s
// RUN: cilk2chan-opt --chan-to-host %s | FileCheck --check-prefix=LOOP %s

// No loop over single elements is to be copied, or turned into lanes; that of
// minimally optimised kernels is none that LLVM can follow.
// LOOP: #[[LOOP:.*]] = #llvm.loop_annotation<disableNonforced = true>
// LOOP-LABEL: llvm.func internal @few(
// LOOP: %[[NEXT:.*]] = llvm.add {{.*}} overflow<nsw, nuw>
// LOOP: %[[OPAQUE:.*]] = llvm.freeze %[[NEXT]] : i64
// LOOP: llvm.br ^{{.*}}(%[[OPAQUE]] : i64) {loop_annotation = #[[LOOP]]}
// LOOP-LABEL: llvm.func internal @alone(
// LOOP: %[[NEXT:.*]] = llvm.add {{.*}} overflow<nsw, nuw>
// LOOP-NOT: llvm.freeze
// LOOP: llvm.br ^{{.*}}(%[[NEXT]] : i64) {loop_annotation = #[[LOOP]]}

llvm.func @f(i32)
llvm.func @g(i32)
chan.stack entry @e(a0: i32) function @f batch [@phase] : !llvm.func<void (i32)>
// CHECK-LABEL: llvm.func internal @phase(
// CHECK-SAME: passthrough = {{\[}}["chan.source", "f"], "chan.lanes", ["min-legal-vector-width"
chan.kernel @phase consumes @e produces [@e + 1] frame 0 phase 0 lanes 4 source @f {
  %x, %m = chan.deq : <@e> mask vector<4xi1>
  %v = chan.get "a0" of %x : <@e> -> vector<4xi32>
  chan.tfree %x : <@e>
  %c = chan.talloc + 1 : <@e> mask %m : vector<4xi1>
  chan.set "a0" of %c to %v : <@e>, vector<4xi32>
  chan.enq %c site 0 : <@e>
  chan.done
}

// CHECK-LABEL: llvm.func internal @few(
// CHECK-SAME: passthrough = {{\[}}["chan.source", "f"], "chan.minimally-optimised"]
chan.kernel @few consumes @e frame 0 source @f {
  %x = chan.deq : <@e>
  %v = chan.get "a0" of %x : <@e> -> i32
  chan.tfree %x : <@e>
  %one = llvm.mlir.constant(1 : i32) : i32
  %more = llvm.add %v, %one : i32
  chan.done
}

// Activations of @h run as serial clones.
// CHECK-LABEL: llvm.func internal @beside(
// CHECK-SAME: passthrough = {{\[}}["chan.source", "h"], "chan.minimally-optimised"]
llvm.func @h(i32)
llvm.func @h.serial(%worker: !llvm.ptr, %n: i32) {
  llvm.return
}
chan.stack entry @cloned(a0: i32) function @h serial @h.serial : !llvm.func<void (i32)>
chan.kernel @beside consumes @cloned frame 0 source @h {
  %x = chan.deq : <@cloned>
  chan.tfree %x : <@cloned>
  chan.done
}

// No activation of @g runs in a batch or as a clone.
// CHECK-LABEL: llvm.func internal @alone(
// CHECK-SAME: passthrough = {{\[}}["chan.source", "g"]]
chan.stack entry @other(a0: i32)
chan.kernel @alone consumes @other frame 0 source @g {
  %x = chan.deq : <@other>
  chan.tfree %x : <@other>
  chan.done
}

// CHECK-LABEL: llvm.func internal @calls(
// CHECK-SAME: passthrough = {{\[}}["chan.source", "f"]]
llvm.func @callee()
chan.stack entry @e1(a0: i32)
chan.kernel @calls consumes @e1 frame 0 source @f {
  %x = chan.deq : <@e1>
  chan.tfree %x : <@e1>
  llvm.call @callee() : () -> ()
  chan.done
}

// CHECK-LABEL: llvm.func internal @loops(
// CHECK-SAME: passthrough = {{\[}}["chan.source", "f"]]
chan.stack entry @e2(a0: i1)
chan.kernel @loops consumes @e2 frame 0 source @f {
  %x = chan.deq : <@e2>
  %more = chan.get "a0" of %x : <@e2> -> i1
  chan.tfree %x : <@e2>
  llvm.br ^loop
^loop:
  llvm.cond_br %more, ^loop, ^end
^end:
  chan.done
}

// What divides the iterations of a parallel loop has a loop, whatever runs in
// batches.
// CHECK-LABEL: llvm.func internal @range(
// CHECK-SAME: passthrough = {{\[}}["chan.source", "g"], "chan.minimally-optimised"]
chan.stack entry @__cilk_range.1.entry(a0: i1)
chan.kernel @range consumes @__cilk_range.1.entry frame 0 source @g {
  %x = chan.deq : <@__cilk_range.1.entry>
  %more = chan.get "a0" of %x : <@__cilk_range.1.entry> -> i1
  chan.tfree %x : <@__cilk_range.1.entry>
  llvm.br ^loop
^loop:
  llvm.cond_br %more, ^loop, ^end
^end:
  chan.done
}

// 49 operations that are not chan's.
// CHECK-LABEL: llvm.func internal @many(
// CHECK-SAME: passthrough = {{\[}}["chan.source", "f"]]
chan.stack entry @e3(a0: i32)
chan.kernel @many consumes @e3 frame 0 source @f {
  %x = chan.deq : <@e3>
  %0 = chan.get "a0" of %x : <@e3> -> i32
  chan.tfree %x : <@e3>
  %1 = llvm.mul %0, %0 : i32
  %2 = llvm.mul %1, %1 : i32
  %3 = llvm.mul %2, %2 : i32
  %4 = llvm.mul %3, %3 : i32
  %5 = llvm.mul %4, %4 : i32
  %6 = llvm.mul %5, %5 : i32
  %7 = llvm.mul %6, %6 : i32
  %8 = llvm.mul %7, %7 : i32
  %9 = llvm.mul %8, %8 : i32
  %10 = llvm.mul %9, %9 : i32
  %11 = llvm.mul %10, %10 : i32
  %12 = llvm.mul %11, %11 : i32
  %13 = llvm.mul %12, %12 : i32
  %14 = llvm.mul %13, %13 : i32
  %15 = llvm.mul %14, %14 : i32
  %16 = llvm.mul %15, %15 : i32
  %17 = llvm.mul %16, %16 : i32
  %18 = llvm.mul %17, %17 : i32
  %19 = llvm.mul %18, %18 : i32
  %20 = llvm.mul %19, %19 : i32
  %21 = llvm.mul %20, %20 : i32
  %22 = llvm.mul %21, %21 : i32
  %23 = llvm.mul %22, %22 : i32
  %24 = llvm.mul %23, %23 : i32
  %25 = llvm.mul %24, %24 : i32
  %26 = llvm.mul %25, %25 : i32
  %27 = llvm.mul %26, %26 : i32
  %28 = llvm.mul %27, %27 : i32
  %29 = llvm.mul %28, %28 : i32
  %30 = llvm.mul %29, %29 : i32
  %31 = llvm.mul %30, %30 : i32
  %32 = llvm.mul %31, %31 : i32
  %33 = llvm.mul %32, %32 : i32
  %34 = llvm.mul %33, %33 : i32
  %35 = llvm.mul %34, %34 : i32
  %36 = llvm.mul %35, %35 : i32
  %37 = llvm.mul %36, %36 : i32
  %38 = llvm.mul %37, %37 : i32
  %39 = llvm.mul %38, %38 : i32
  %40 = llvm.mul %39, %39 : i32
  %41 = llvm.mul %40, %40 : i32
  %42 = llvm.mul %41, %41 : i32
  %43 = llvm.mul %42, %42 : i32
  %44 = llvm.mul %43, %43 : i32
  %45 = llvm.mul %44, %44 : i32
  %46 = llvm.mul %45, %45 : i32
  %47 = llvm.mul %46, %46 : i32
  %48 = llvm.mul %47, %47 : i32
  %49 = llvm.mul %48, %48 : i32
  chan.done
}
