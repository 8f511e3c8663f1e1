//===- counts.mlir - Lanes for kernels that find many elements ------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --chan-simd=vector-bits=256 --remarks-filter=chan-simd %s -o /dev/null 2>&1 | FileCheck %s
// With a number of lanes given, the count of elements does not matter.
// RUN: cilk2chan-opt '--chan-simd=lanes=8 vector-bits=256' --remarks-filter=chan-simd %s -o /dev/null 2>&1 | FileCheck --check-prefix=FORCED %s
// FORCED-NOT: one element at a time

llvm.func @list(i32)
llvm.func @tree(i32)
llvm.func @few(i32)
llvm.func @three(i32)
llvm.func @leaf(i32)
llvm.func @ping(i32)
llvm.func @pong(i32)
llvm.func @body(i32)
llvm.func @loop(i32)
chan.stack entry @list.entry(a0: i32) function @list : !llvm.func<void (i32)>
chan.stack entry @tree.entry(a0: i32) function @tree : !llvm.func<void (i32)>
chan.stack entry @few.entry(a0: i32) function @few : !llvm.func<void (i32)>
chan.stack entry @three.entry(a0: i32) function @three : !llvm.func<void (i32)>
chan.stack entry @leaf.entry(a0: i32) function @leaf : !llvm.func<void (i32)>
chan.stack entry @ping.entry(a0: i32) function @ping : !llvm.func<void (i32)>
chan.stack entry @pong.entry(a0: i32) function @pong : !llvm.func<void (i32)>
chan.stack entry @body.entry(a0: i32) function @body : !llvm.func<void (i32)>
chan.stack entry @loop.entry(a0: i32) function @loop : !llvm.func<void (i32)>

// One from C, and one for each: a list.
// CHECK-DAG: 'list.0' treats one element at a time: it finds no more than 1 at a time; what spawns it is neither a loop nor recursive
chan.kernel @list.0 consumes @list.entry produces [@list.entry + 1] frame 0 source @list {
  %e = chan.deq : <@list.entry>
  %a0 = chan.get "a0" of %e : <@list.entry> -> i32
  chan.tfree %e : <@list.entry>
  %a1 = llvm.mul %a0, %a0 : i32
  %a2 = llvm.mul %a1, %a0 : i32
  %a3 = llvm.mul %a2, %a0 : i32
  %a4 = llvm.mul %a3, %a0 : i32
  %a5 = llvm.mul %a4, %a0 : i32
  %a6 = llvm.mul %a5, %a0 : i32
  %a7 = llvm.mul %a6, %a0 : i32
  %a = llvm.xor %a7, %a0 : i32
  %t0 = chan.talloc + 1 : <@list.entry>
  chan.set "a0" of %t0 to %a : <@list.entry>, i32
  chan.enq %t0 : <@list.entry>
  chan.done
}

// CHECK-DAG: 'tree.0' treats 8 elements at a time
chan.kernel @tree.0 consumes @tree.entry produces [@tree.entry + 1] frame 0 source @tree {
  %e = chan.deq : <@tree.entry>
  %a0 = chan.get "a0" of %e : <@tree.entry> -> i32
  chan.tfree %e : <@tree.entry>
  %a1 = llvm.mul %a0, %a0 : i32
  %a2 = llvm.mul %a1, %a0 : i32
  %a3 = llvm.mul %a2, %a0 : i32
  %a4 = llvm.mul %a3, %a0 : i32
  %a5 = llvm.mul %a4, %a0 : i32
  %a6 = llvm.mul %a5, %a0 : i32
  %a7 = llvm.mul %a6, %a0 : i32
  %a = llvm.xor %a7, %a0 : i32
  %t0 = chan.talloc + 1 : <@tree.entry>
  chan.set "a0" of %t0 to %a : <@tree.entry>, i32
  chan.enq %t0 : <@tree.entry>
  %t1 = chan.talloc + 1 : <@tree.entry>
  chan.set "a0" of %t1 to %a : <@tree.entry>, i32
  chan.enq %t1 : <@tree.entry>
  chan.done
}

// Each of one.
// CHECK-DAG: 'few.0' treats one element at a time: it finds no more than 3 at a time
chan.kernel @few.0 consumes @few.entry frame 0 source @few {
  %e = chan.deq : <@few.entry>
  %a0 = chan.get "a0" of %e : <@few.entry> -> i32
  chan.tfree %e : <@few.entry>
  %a1 = llvm.mul %a0, %a0 : i32
  %a2 = llvm.mul %a1, %a0 : i32
  %a3 = llvm.mul %a2, %a0 : i32
  %a4 = llvm.mul %a3, %a0 : i32
  %a5 = llvm.mul %a4, %a0 : i32
  %a6 = llvm.mul %a5, %a0 : i32
  %a7 = llvm.mul %a6, %a0 : i32
  %a = llvm.xor %a7, %a0 : i32
  chan.done
}

// CHECK-DAG: 'three.0' treats one element at a time: it finds no more than 1 at a time
chan.kernel @three.0 consumes @three.entry produces [@few.entry + 1] frame 0 source @three {
  %e = chan.deq : <@three.entry>
  %a0 = chan.get "a0" of %e : <@three.entry> -> i32
  chan.tfree %e : <@three.entry>
  %a1 = llvm.mul %a0, %a0 : i32
  %a2 = llvm.mul %a1, %a0 : i32
  %a3 = llvm.mul %a2, %a0 : i32
  %a4 = llvm.mul %a3, %a0 : i32
  %a5 = llvm.mul %a4, %a0 : i32
  %a6 = llvm.mul %a5, %a0 : i32
  %a7 = llvm.mul %a6, %a0 : i32
  %a = llvm.xor %a7, %a0 : i32
  %t0 = chan.talloc + 1 : <@few.entry>
  chan.set "a0" of %t0 to %a : <@few.entry>, i32
  chan.enq %t0 : <@few.entry>
  %t1 = chan.talloc + 1 : <@few.entry>
  chan.set "a0" of %t1 to %a : <@few.entry>, i32
  chan.enq %t1 : <@few.entry>
  %t2 = chan.talloc + 1 : <@few.entry>
  chan.set "a0" of %t2 to %a : <@few.entry>, i32
  chan.enq %t2 : <@few.entry>
  chan.done
}

// CHECK-DAG: 'leaf.0' treats 8 elements at a time
chan.kernel @leaf.0 consumes @leaf.entry frame 0 source @leaf {
  %e = chan.deq : <@leaf.entry>
  %a0 = chan.get "a0" of %e : <@leaf.entry> -> i32
  chan.tfree %e : <@leaf.entry>
  %a1 = llvm.mul %a0, %a0 : i32
  %a2 = llvm.mul %a1, %a0 : i32
  %a3 = llvm.mul %a2, %a0 : i32
  %a4 = llvm.mul %a3, %a0 : i32
  %a5 = llvm.mul %a4, %a0 : i32
  %a6 = llvm.mul %a5, %a0 : i32
  %a7 = llvm.mul %a6, %a0 : i32
  %a = llvm.xor %a7, %a0 : i32
  chan.done
}

// Recursion by way of another.
// CHECK-DAG: 'ping.0' treats 8 elements at a time
chan.kernel @ping.0 consumes @ping.entry produces [@pong.entry + 1, @leaf.entry + 1] frame 0 source @ping {
  %e = chan.deq : <@ping.entry>
  %a0 = chan.get "a0" of %e : <@ping.entry> -> i32
  chan.tfree %e : <@ping.entry>
  %a1 = llvm.mul %a0, %a0 : i32
  %a2 = llvm.mul %a1, %a0 : i32
  %a3 = llvm.mul %a2, %a0 : i32
  %a4 = llvm.mul %a3, %a0 : i32
  %a5 = llvm.mul %a4, %a0 : i32
  %a6 = llvm.mul %a5, %a0 : i32
  %a7 = llvm.mul %a6, %a0 : i32
  %a = llvm.xor %a7, %a0 : i32
  %t0 = chan.talloc + 1 : <@pong.entry>
  chan.set "a0" of %t0 to %a : <@pong.entry>, i32
  chan.enq %t0 : <@pong.entry>
  %t1 = chan.talloc + 1 : <@leaf.entry>
  chan.set "a0" of %t1 to %a : <@leaf.entry>, i32
  chan.enq %t1 : <@leaf.entry>
  chan.done
}

// CHECK-DAG: 'pong.0' treats 8 elements at a time
chan.kernel @pong.0 consumes @pong.entry produces [@ping.entry + 1] frame 0 source @pong {
  %e = chan.deq : <@pong.entry>
  %a0 = chan.get "a0" of %e : <@pong.entry> -> i32
  chan.tfree %e : <@pong.entry>
  %a1 = llvm.mul %a0, %a0 : i32
  %a2 = llvm.mul %a1, %a0 : i32
  %a3 = llvm.mul %a2, %a0 : i32
  %a4 = llvm.mul %a3, %a0 : i32
  %a5 = llvm.mul %a4, %a0 : i32
  %a6 = llvm.mul %a5, %a0 : i32
  %a7 = llvm.mul %a6, %a0 : i32
  %a = llvm.xor %a7, %a0 : i32
  %t0 = chan.talloc + 1 : <@ping.entry>
  chan.set "a0" of %t0 to %a : <@ping.entry>, i32
  chan.enq %t0 : <@ping.entry>
  %t1 = chan.talloc + 1 : <@ping.entry>
  chan.set "a0" of %t1 to %a : <@ping.entry>, i32
  chan.enq %t1 : <@ping.entry>
  chan.done
}

// CHECK-DAG: 'body.0' treats 8 elements at a time
chan.kernel @body.0 consumes @body.entry frame 0 source @body {
  %e = chan.deq : <@body.entry>
  %a0 = chan.get "a0" of %e : <@body.entry> -> i32
  chan.tfree %e : <@body.entry>
  %a1 = llvm.mul %a0, %a0 : i32
  %a2 = llvm.mul %a1, %a0 : i32
  %a3 = llvm.mul %a2, %a0 : i32
  %a4 = llvm.mul %a3, %a0 : i32
  %a5 = llvm.mul %a4, %a0 : i32
  %a6 = llvm.mul %a5, %a0 : i32
  %a7 = llvm.mul %a6, %a0 : i32
  %a = llvm.xor %a7, %a0 : i32
  chan.done
}

// CHECK-DAG: 'loop.0' treats one element at a time: it finds no more than 1 at a time
chan.kernel @loop.0 consumes @loop.entry produces [@body.entry + 1] frame 0 source @loop {
  %e = chan.deq : <@loop.entry>
  %a0 = chan.get "a0" of %e : <@loop.entry> -> i32
  chan.tfree %e : <@loop.entry>
  %a1 = llvm.mul %a0, %a0 : i32
  %a2 = llvm.mul %a1, %a0 : i32
  %a3 = llvm.mul %a2, %a0 : i32
  %a4 = llvm.mul %a3, %a0 : i32
  %a5 = llvm.mul %a4, %a0 : i32
  %a6 = llvm.mul %a5, %a0 : i32
  %a7 = llvm.mul %a6, %a0 : i32
  %a = llvm.xor %a7, %a0 : i32
  llvm.br ^loop
^loop:
  %t0 = chan.talloc + 1 : <@body.entry>
  chan.set "a0" of %t0 to %a : <@body.entry>, i32
  chan.enq %t0 : <@body.entry>
  %more = llvm.icmp "slt" %a, %a0 : i32
  llvm.cond_br %more, ^loop, ^end
^end:
  chan.done
}
