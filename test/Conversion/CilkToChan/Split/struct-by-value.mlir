//===- struct-by-value.mlir - byval parameters and sret results -----------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --lower-to-chan %s | FileCheck %s

!big = !llvm.struct<(i64, i64, i64)>
llvm.func @use(!llvm.ptr {llvm.byval = !big, llvm.align = 8 : i64})
llvm.func @make(!llvm.ptr {llvm.sret = !big})
llvm.func @__cilk_apply.0(!llvm.ptr, !llvm.ptr)
llvm.func @byval(%s: !llvm.ptr {llvm.byval = !big, llvm.align = 8 : i64}) -> i64 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %poison = llvm.mlir.poison : !llvm.ptr
  %t = llvm.alloca %one x !big : (i32) -> !llvm.ptr
  cilk.spawn @byval(%s) : !llvm.func<i64 (ptr)>, !llvm.ptr {arg_attrs = [{llvm.byval = !big, llvm.align = 8 : i64}]}
  cilk.spawn @make(%poison) to %t apply @__cilk_apply.0 : !llvm.func<void (ptr)>, !llvm.ptr {arg_attrs = [{llvm.sret = !big}]}
  cilk.spawn @make(%poison) : !llvm.func<void (ptr)>, !llvm.ptr {arg_attrs = [{llvm.sret = !big}]}
  cilk.spawn @use(%s) : !llvm.func<void (ptr)>, !llvm.ptr {arg_attrs = [{llvm.byval = !big, llvm.align = 8 : i64}]}
  cilk.sync
  %v = llvm.load %s : !llvm.ptr -> i64
  llvm.return %v : i64
}

// The parameter moves to the frame, because it is used after the sync as well.
// CHECK: chan.kernel @byval.0
// CHECK: %[[F:.*]] = chan.frame 88
// CHECK: %[[PENDING:.*]] = llvm.getelementptr inbounds %[[F]][8]
// CHECK: llvm.store %{{.*}}, %[[PENDING]] : !llvm.array<4 x ptr>
// CHECK: chan.copy_out "a0" of %{{.*}} to %{{.*}} : <@byval.entry>
// CHECK: chan.copy_in "a0" of %{{.*}} from %{{.*}} : <@byval.entry>

// A struct result waits in a record until the sync, also an unwanted one.
// CHECK: %[[SLOT:.*]] = chan.defer 24 align {{[48]}} in %{{.*}} apply @__cilk_apply.0 to %{{.*}}
// CHECK: chan.set "a0" of %{{.*}} to %[[SLOT]] : <@[[MAKE:.*]]>, !llvm.ptr
// CHECK: %[[NONE:.*]] = llvm.mlir.zero : !llvm.ptr
// CHECK: chan.defer 24 align {{[48]}} in %{{.*}} to %[[NONE]]
// CHECK: chan.copy_in "a0" of %{{.*}} from %{{.*}} : <@[[USE:.*]]>
// CHECK: chan.kernel @byval.1
// CHECK: chan.apply
// CHECK: chan.frame_free

// CHECK: chan.stack entry @byval.entry(a0: !llvm.struct<(i64, i64, i64)>, ret: !llvm.ptr)
// CHECK: chan.kernel @call.0 consumes @[[MAKE]]
// CHECK: llvm.call %{{.*}}(%{{.*}}) : !llvm.ptr, (!llvm.ptr {llvm.sret = {{.*}}}) -> ()
// CHECK: chan.stack entry @[[MAKE]](a0: !llvm.ptr, callee: !llvm.ptr)

// The function outside gets a copy of its own.
// CHECK: chan.kernel @call.1 consumes @[[USE]]
// CHECK: %[[COPY:.*]] = llvm.alloca
// CHECK: chan.copy_out "a0" of %{{.*}} to %[[COPY]]
// CHECK: llvm.call %{{.*}}(%[[COPY]]) : !llvm.ptr, (!llvm.ptr {{{.*}}llvm.byval
// CHECK: chan.stack entry @[[USE]](a0: !llvm.struct<(i64, i64, i64)>, callee: !llvm.ptr)
