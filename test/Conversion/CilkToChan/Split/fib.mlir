//===- fib.mlir - A function split at its sync ----------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --lower-to-chan %s | FileCheck %s

// ISCA'14 Figure 11, from Figure 8.

llvm.func @fib(%n: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %x = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %y = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %base = llvm.icmp "slt" %n, %two : i32
  llvm.cond_br %base, ^ret(%n : i32), ^recurse
^recurse:
  %n1 = llvm.sub %n, %one : i32
  cilk.spawn @fib(%n1) to %x : !llvm.func<i32 (i32)>, i32
  %n2 = llvm.sub %n, %two : i32
  cilk.spawn @fib(%n2) to %y : !llvm.func<i32 (i32)>, i32
  cilk.sync
  %a = llvm.load %x : !llvm.ptr -> i32
  %b = llvm.load %y : !llvm.ptr -> i32
  %s = llvm.add %a, %b : i32
  llvm.br ^ret(%s : i32)
^ret(%r: i32):
  cilk.sync
  llvm.return %r : i32
}

// CHECK: chan.kernel @fib.0 consumes @fib.entry produces [@fib.entry + 1, @fib.after1 + 0] frame 16 source @fib
// CHECK: chan.get "a0"
// CHECK: %[[RET:.*]] = chan.get "ret"
// CHECK: chan.tfree
// CHECK: llvm.cond_br %{{.*}}, ^[[BASE:bb[0-9]+]](%{{.*}}), ^[[RECURSE:bb[0-9]+]]

// The base case has no frame, and delivers at once.
// CHECK: ^[[BASE]](%[[R:.*]]: i32):
// CHECK-NEXT: chan.deliver %[[R]] to %[[RET]] : i32
// CHECK-NEXT: chan.done

// CHECK: ^[[RECURSE]]:
// CHECK: %[[F:.*]] = chan.frame 16
// CHECK: %[[X:.*]] = llvm.getelementptr inbounds %[[F]][8]
// CHECK: %[[C:.*]] = chan.talloc + 1 : <@fib.entry>
// CHECK: chan.set "a0" of %[[C]]
// CHECK: chan.set "ret" of %[[C]] to %[[X]]
// CHECK: chan.enq %[[C]]
// CHECK: chan.talloc + 1 : <@fib.entry>
// CHECK: %[[SAVED:.*]] = llvm.getelementptr inbounds %[[F]][0]
// CHECK: llvm.store %[[RET]], %[[SAVED]]
// CHECK: %[[K:.*]] = chan.talloc + 0 : <@fib.after1>
// CHECK-NEXT: chan.set "frame" of %[[K]] to %[[F]]
// CHECK-NEXT: chan.enq %[[K]]
// CHECK-NEXT: chan.done

// CHECK: chan.kernel @fib.1 consumes @fib.after1 frame 16 source @fib
// CHECK: %[[G:.*]] = chan.get "frame"
// CHECK: llvm.getelementptr inbounds %[[G]][8]
// CHECK: llvm.load
// CHECK: %[[S:.*]] = llvm.add
// CHECK: llvm.br ^[[END:bb[0-9]+]](%[[S]] : i32)
// CHECK: ^[[END]](%[[T:.*]]: i32):
// CHECK: %[[TO:.*]] = llvm.load
// CHECK: chan.deliver %[[T]] to %[[TO]]
// CHECK: chan.frame_free %[[G]], 16
// CHECK: chan.done

// CHECK: llvm.func @fib(i32) -> i32{{$}}
// CHECK: chan.stack entry @fib.entry(a0: i32, ret: !llvm.ptr) function @fib : !llvm.func<i32 (i32)>
// CHECK: chan.stack continuation @fib.after1(frame: !llvm.ptr)
