//===- counts.mlir - Lanes for kernels that find many elements ------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --chan-simd="vector-bits=256" --remarks-filter=chan-simd %s -o %t 2>&1 | FileCheck %s
// RUN: FileCheck --check-prefix=GRAPH --implicit-check-not='@{{(list|tail|few|three|loop)}}.batch' %s < %t
// RUN: cilk2chan-opt --chan-simd="vector-bits=256" --chan-simd-fewest-elements=4 --remarks-filter=chan-simd %s -o /dev/null 2>&1 | FileCheck %s
// RUN: cilk2chan-opt --chan-simd="vector-bits=256" --chan-simd-fewest-elements=3 --remarks-filter=chan-simd %s -o /dev/null 2>&1 | FileCheck --check-prefix=THREE %s
// With a number of lanes given, the count of elements does not matter.
// RUN: cilk2chan-opt --chan-simd="lanes=8 vector-bits=256" --remarks-filter=chan-simd %s -o /dev/null 2>&1 | FileCheck --check-prefix=FORCED --implicit-check-not="is not used for batches" %s
// FORCED-COUNT-11: treats 8 elements at a time
// GRAPH-COUNT-6: lanes 8

llvm.func @list(i32)
llvm.func @tail(i32)
llvm.func @tree(i32)
llvm.func @fruit(i32)
llvm.func @few(i32)
llvm.func @three(i32)
llvm.func @leaf(i32)
llvm.func @ping(i32)
llvm.func @pong(i32)
llvm.func @body(i32)
llvm.func @loop(i32)
chan.stack entry @list.entry(a0: i32) function @list batch [@list.batch.0] : !llvm.func<void (i32)>
chan.kernel @list.0 consumes @list.entry frame 0 source @list {
  %e = chan.deq : <@list.entry>
  chan.tfree %e : <@list.entry>
  chan.done
}
chan.stack entry @tail.entry(a0: i32) function @tail batch [@tail.batch.0] : !llvm.func<void (i32)>
chan.kernel @tail.0 consumes @tail.entry frame 0 source @tail {
  %e = chan.deq : <@tail.entry>
  chan.tfree %e : <@tail.entry>
  chan.done
}
chan.stack entry @tree.entry(a0: i32) function @tree batch [@tree.batch.0] : !llvm.func<void (i32)>
chan.kernel @tree.0 consumes @tree.entry frame 0 source @tree {
  %e = chan.deq : <@tree.entry>
  chan.tfree %e : <@tree.entry>
  chan.done
}
chan.stack entry @fruit.entry(a0: i32) function @fruit batch [@fruit.batch.0] : !llvm.func<void (i32)>
chan.kernel @fruit.0 consumes @fruit.entry frame 0 source @fruit {
  %e = chan.deq : <@fruit.entry>
  chan.tfree %e : <@fruit.entry>
  chan.done
}
chan.stack entry @few.entry(a0: i32) function @few batch [@few.batch.0] : !llvm.func<void (i32)>
chan.kernel @few.0 consumes @few.entry frame 0 source @few {
  %e = chan.deq : <@few.entry>
  chan.tfree %e : <@few.entry>
  chan.done
}
chan.stack entry @three.entry(a0: i32) function @three batch [@three.batch.0] : !llvm.func<void (i32)>
chan.kernel @three.0 consumes @three.entry frame 0 source @three {
  %e = chan.deq : <@three.entry>
  chan.tfree %e : <@three.entry>
  chan.done
}
chan.stack entry @leaf.entry(a0: i32) function @leaf batch [@leaf.batch.0] : !llvm.func<void (i32)>
chan.kernel @leaf.0 consumes @leaf.entry frame 0 source @leaf {
  %e = chan.deq : <@leaf.entry>
  chan.tfree %e : <@leaf.entry>
  chan.done
}
chan.stack entry @ping.entry(a0: i32) function @ping batch [@ping.batch.0] : !llvm.func<void (i32)>
chan.kernel @ping.0 consumes @ping.entry frame 0 source @ping {
  %e = chan.deq : <@ping.entry>
  chan.tfree %e : <@ping.entry>
  chan.done
}
chan.stack entry @pong.entry(a0: i32) function @pong batch [@pong.batch.0] : !llvm.func<void (i32)>
chan.kernel @pong.0 consumes @pong.entry frame 0 source @pong {
  %e = chan.deq : <@pong.entry>
  chan.tfree %e : <@pong.entry>
  chan.done
}
chan.stack entry @body.entry(a0: i32) function @body batch [@body.batch.0] : !llvm.func<void (i32)>
chan.kernel @body.0 consumes @body.entry frame 0 source @body {
  %e = chan.deq : <@body.entry>
  chan.tfree %e : <@body.entry>
  chan.done
}
chan.stack entry @loop.entry(a0: i32) function @loop batch [@loop.batch.0] : !llvm.func<void (i32)>
chan.kernel @loop.0 consumes @loop.entry frame 0 source @loop {
  %e = chan.deq : <@loop.entry>
  chan.tfree %e : <@loop.entry>
  chan.done
}

// One from C, and one for each: a list, which has but one of what each spawns
// besides.
// CHECK-DAG: 'list.batch.0' is not used for batches: 'tail', which it spawns, is not either
// CHECK-DAG: 'tail.batch.0' is not used for batches: few calls of it run at a time, and what it spawns runs in lanes
// THREE-DAG: 'tail.batch.0' is not used for batches: few calls of it run at a time, and what it spawns runs in lanes
chan.kernel @list.batch.0 consumes @list.entry produces [@list.entry + 1, @tail.entry + 1] frame 0 phase 0 source @list {
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
  chan.enq %t0 site 0 : <@list.entry>
  %t1 = chan.talloc + 1 : <@tail.entry>
  chan.set "a0" of %t1 to %a : <@tail.entry>, i32
  chan.enq %t1 site 1 : <@tail.entry>
  chan.done
}

chan.kernel @tail.batch.0 consumes @tail.entry frame 0 phase 0 source @tail {
  %e = chan.deq : <@tail.entry>
  %a0 = chan.get "a0" of %e : <@tail.entry> -> i32
  chan.tfree %e : <@tail.entry>
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

// CHECK-DAG: 'tree.batch.0' treats 8 elements at a time
// CHECK-DAG: 'fruit.batch.0' treats 8 elements at a time
chan.kernel @tree.batch.0 consumes @tree.entry produces [@tree.entry + 1, @fruit.entry + 1] frame 0 phase 0 source @tree {
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
  chan.enq %t0 site 0 : <@tree.entry>
  %t1 = chan.talloc + 1 : <@tree.entry>
  chan.set "a0" of %t1 to %a : <@tree.entry>, i32
  chan.enq %t1 site 1 : <@tree.entry>
  %t2 = chan.talloc + 1 : <@fruit.entry>
  chan.set "a0" of %t2 to %a : <@fruit.entry>, i32
  chan.enq %t2 site 2 : <@fruit.entry>
  chan.done
}

chan.kernel @fruit.batch.0 consumes @fruit.entry frame 0 phase 0 source @fruit {
  %e = chan.deq : <@fruit.entry>
  %a0 = chan.get "a0" of %e : <@fruit.entry> -> i32
  chan.tfree %e : <@fruit.entry>
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

// Each of one.
// CHECK-DAG: 'few.batch.0' is not used for batches: few calls of it run at a time, and what it spawns runs in lanes
// THREE-DAG: 'few.batch.0' treats 8 elements at a time
chan.kernel @few.batch.0 consumes @few.entry frame 0 phase 0 source @few {
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

// CHECK-DAG: 'three.batch.0' is not used for batches: 'few', which it spawns, is not either
// THREE-DAG: 'three.batch.0' is not used for batches: few calls of it run at a time, and what it spawns runs in lanes
chan.kernel @three.batch.0 consumes @three.entry produces [@few.entry + 1] frame 0 phase 0 source @three {
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
  chan.enq %t0 site 0 : <@few.entry>
  %t1 = chan.talloc + 1 : <@few.entry>
  chan.set "a0" of %t1 to %a : <@few.entry>, i32
  chan.enq %t1 site 1 : <@few.entry>
  %t2 = chan.talloc + 1 : <@few.entry>
  chan.set "a0" of %t2 to %a : <@few.entry>, i32
  chan.enq %t2 site 2 : <@few.entry>
  chan.done
}

// CHECK-DAG: 'leaf.batch.0' treats 8 elements at a time
chan.kernel @leaf.batch.0 consumes @leaf.entry frame 0 phase 0 source @leaf {
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
// CHECK-DAG: 'ping.batch.0' treats 8 elements at a time
chan.kernel @ping.batch.0 consumes @ping.entry produces [@pong.entry + 1, @leaf.entry + 1] frame 0 phase 0 source @ping {
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
  chan.enq %t0 site 0 : <@pong.entry>
  %t1 = chan.talloc + 1 : <@leaf.entry>
  chan.set "a0" of %t1 to %a : <@leaf.entry>, i32
  chan.enq %t1 site 1 : <@leaf.entry>
  chan.done
}

// CHECK-DAG: 'pong.batch.0' treats 8 elements at a time
chan.kernel @pong.batch.0 consumes @pong.entry produces [@ping.entry + 1] frame 0 phase 0 source @pong {
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
  chan.enq %t0 site 0 : <@ping.entry>
  %t1 = chan.talloc + 1 : <@ping.entry>
  chan.set "a0" of %t1 to %a : <@ping.entry>, i32
  chan.enq %t1 site 1 : <@ping.entry>
  chan.done
}

// CHECK-DAG: 'body.batch.0' treats 8 elements at a time
chan.kernel @body.batch.0 consumes @body.entry frame 0 phase 0 source @body {
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

// CHECK-DAG: 'loop.batch.0' is not used for batches: few calls of it run at a time, and what it spawns runs in lanes
chan.kernel @loop.batch.0 consumes @loop.entry produces [@body.entry + 1] frame 0 phase 0 source @loop {
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
  chan.enq %t0 site 0 : <@body.entry>
  %more = llvm.icmp "slt" %a, %a0 : i32
  llvm.cond_br %more, ^loop, ^end
^end:
  chan.done
}
