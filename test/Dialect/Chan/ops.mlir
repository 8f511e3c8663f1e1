//===- ops.mlir - Every op of the chan dialect in assembly ----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --verify-roundtrip %s | FileCheck %s
// RUN: cilk2chan-opt --emit-bytecode %s | cilk2chan-opt | FileCheck %s
// RUN: cilk2chan-opt --mlir-print-op-generic %s | cilk2chan-opt | FileCheck %s

!pair = !llvm.struct<(i64, i64)>

llvm.func @f(i32, !llvm.ptr) -> i32
llvm.func @f.serial(!llvm.ptr, i32, !llvm.ptr) -> i32
llvm.func @"odd name"()
llvm.func @add(!llvm.ptr, !llvm.ptr)

// CHECK: chan.stack entry @f.entry(a0: i32, a1: !llvm.struct<(i64, i64)>, ret: !llvm.ptr) function @f serial @f.serial counted : !llvm.func<i32 (i32, ptr)>
chan.stack entry @f.entry(a0: i32, a1: !pair, ret: !llvm.ptr) function @f serial @f.serial counted : !llvm.func<i32 (i32, ptr)>
// CHECK: chan.stack continuation @f.after1(frame: !llvm.ptr)
chan.stack continuation @f.after1(frame: !llvm.ptr)
// CHECK: chan.stack entry @"odd name.entry"() interposable function @"odd name" : !llvm.func<void ()>
chan.stack entry @"odd name.entry"() interposable function @"odd name" : !llvm.func<void ()>
// CHECK: chan.stack entry @call.entry("odd field": f64, callee: !llvm.ptr) : !llvm.func<void (f64)>
chan.stack entry @call.entry("odd field": f64, callee: !llvm.ptr) : !llvm.func<void (f64)>

// CHECK: chan.kernel @f.0 consumes @f.entry produces [@f.entry + 1, @call.entry + 1, @f.after1 + 0] frame 64 source @f {
chan.kernel @f.0 consumes @f.entry produces [@f.entry + 1, @call.entry + 1, @f.after1 + 0] frame 64 source @f {
  // CHECK: %[[E:.*]] = chan.deq : <@f.entry>
  %e = chan.deq : <@f.entry>
  %one = llvm.mlir.constant(1 : i32) : i32
  %local = llvm.alloca %one x !pair : (i32) -> !llvm.ptr
  // CHECK: chan.get "a0" of %[[E]] : <@f.entry> -> i32
  %n = chan.get "a0" of %e : <@f.entry> -> i32
  %ret = chan.get "ret" of %e : <@f.entry> -> !llvm.ptr
  // CHECK: chan.copy_out "a1" of %[[E]] to %{{.*}} : <@f.entry>
  chan.copy_out "a1" of %e to %local : <@f.entry>
  // CHECK: chan.tfree %[[E]] : <@f.entry>
  chan.tfree %e : <@f.entry>
  %zero = llvm.mlir.constant(0 : i32) : i32
  %base = llvm.icmp "eq" %n, %zero : i32
  llvm.cond_br %base, ^base, ^recurse
^base:
  // CHECK: chan.deliver %{{.*}} to %{{.*}} : i32
  chan.deliver %n to %ret : i32
  // CHECK: chan.done
  chan.done
^recurse:
  // CHECK: chan.frame 64
  %frame = chan.frame 64
  // CHECK: chan.alloca %{{.*}} in %{{.*}} align 16 : i32
  %memory = chan.alloca %n in %frame align 16 : i32
  // CHECK: chan.defer 4 align 4 in %{{.*}} apply @add to %{{.*}}
  %slot = chan.defer 4 align 4 in %frame apply @add to %memory
  // CHECK: chan.defer 16 align 32 in %{{.*}} to %{{.*}}
  %dropped = chan.defer 16 align 32 in %frame to %memory
  // CHECK: %[[C:.*]] = chan.talloc + 1 : <@f.entry>
  %c = chan.talloc + 1 : <@f.entry>
  // CHECK: chan.set "a0" of %[[C]] to %{{.*}} : <@f.entry>, i32
  chan.set "a0" of %c to %n : <@f.entry>, i32
  chan.set "ret" of %c to %slot : <@f.entry>, !llvm.ptr
  // CHECK: chan.copy_in "a1" of %[[C]] from %{{.*}} : <@f.entry>
  chan.copy_in "a1" of %c from %local : <@f.entry>
  // CHECK: chan.enq %[[C]] : <@f.entry>
  chan.enq %c : <@f.entry>
  // CHECK: chan.talloc + 1 for %{{.*}} : <@call.entry>
  %i = chan.talloc + 1 for %memory : <@call.entry>
  %x = llvm.mlir.constant(1.0 : f64) : f64
  // CHECK: chan.set "odd field" of
  chan.set "odd field" of %i to %x : <@call.entry>, f64
  chan.enq %i : <@call.entry>
  // CHECK: chan.talloc + 0 : <@f.after1>
  %k = chan.talloc + 0 : <@f.after1>
  chan.set "frame" of %k to %frame : <@f.after1>, !llvm.ptr
  chan.enq %k : <@f.after1>
  chan.done
}

// CHECK: chan.kernel @f.1 consumes @f.after1 frame 64 source @f {
chan.kernel @f.1 consumes @f.after1 frame 64 source @f {
  %e = chan.deq : <@f.after1>
  %frame = chan.get "frame" of %e : <@f.after1> -> !llvm.ptr
  chan.tfree %e : <@f.after1>
  // CHECK: chan.apply %{{.*}}
  chan.apply %frame
  // CHECK: chan.alloca_free %{{.*}}
  chan.alloca_free %frame
  // CHECK: chan.frame_free %{{.*}}, 64
  chan.frame_free %frame, 64
  chan.done
}

// CHECK: chan.kernel @"odd name.0" consumes @"odd name.entry" frame 0 {
chan.kernel @"odd name.0" consumes @"odd name.entry" frame 0 {
  %e = chan.deq : <@"odd name.entry">
  chan.tfree %e : <@"odd name.entry">
  llvm.unreachable
}

// CHECK: chan.kernel @call consumes @call.entry frame 0 attributes {
chan.kernel @call consumes @call.entry frame 0 attributes {note = "any"} {
  %e = chan.deq : <@call.entry>
  chan.tfree %e : <@call.entry>
  chan.done
}

// For eight elements at a time.
chan.stack entry @lanes.entry(a0: i32, ret: !llvm.ptr) batch [@lanes.0]
chan.kernel @lanes consumes @lanes.entry frame 0 {
  %e = chan.deq : <@lanes.entry>
  chan.tfree %e : <@lanes.entry>
  chan.done
}
// CHECK: chan.kernel @lanes.0 consumes @lanes.entry produces [@lanes.entry + 1] frame 0 phase 0 lanes 8 source @f {
chan.kernel @lanes.0 consumes @lanes.entry produces [@lanes.entry + 1] frame 0 phase 0 lanes 8 source @f {
  // CHECK: %[[E:.*]], %[[M:.*]] = chan.deq : <@lanes.entry> mask vector<8xi1>
  %e, %mask = chan.deq : <@lanes.entry> mask vector<8xi1>
  // CHECK: chan.get "a0" of %[[E]] : <@lanes.entry> -> vector<8xi32>
  %n = chan.get "a0" of %e : <@lanes.entry> -> vector<8xi32>
  // CHECK: %[[C:.*]] = chan.talloc + 1 : <@lanes.entry> mask %[[M]] : vector<8xi1>
  %c = chan.talloc + 1 : <@lanes.entry> mask %mask : vector<8xi1>
  // CHECK: chan.set "a0" of %[[C]] to %{{.*}} : <@lanes.entry>, vector<8xi32>
  chan.set "a0" of %c to %n : <@lanes.entry>, vector<8xi32>
  chan.enq %c site 0 : <@lanes.entry>
  // CHECK: chan.tfree %[[E]] : <@lanes.entry>
  chan.tfree %e : <@lanes.entry>
  chan.done
}

// Phases of a batch.
// CHECK: chan.stack entry @phases.entry(a0: i32, ret: !llvm.ptr) calls_in_loops batch [@phases.0, @phases.1, @phases.2, @phases.all] result_handlers 1 prefetched ["ret"] join_free sum width 64
chan.stack entry @phases.entry(a0: i32, ret: !llvm.ptr) calls_in_loops batch [@phases.0, @phases.1, @phases.2, @phases.all] result_handlers 1 prefetched ["ret"] join_free sum width 64
chan.kernel @phases consumes @phases.entry frame 0 {
  %e = chan.deq : <@phases.entry>
  chan.tfree %e : <@phases.entry>
  chan.done
}
// CHECK: chan.kernel @phases.0 consumes @phases.entry produces [@phases.entry + 1] frame 8 phase 0 base_cases_hoisted hoists_base_cases source @f {
chan.kernel @phases.0 consumes @phases.entry produces [@phases.entry + 1] frame 8 phase 0 base_cases_hoisted hoists_base_cases source @f {
  %e = chan.deq : <@phases.entry>
  %n = chan.get "a0" of %e : <@phases.entry> -> i32
  chan.tfree %e : <@phases.entry>
  // CHECK: chan.local 4 size 4{{$}}
  %p = chan.local 4 size 4
  // CHECK: chan.local 0 size 4 exposed
  %exposed = chan.local 0 size 4 exposed
  llvm.store %n, %p : i32, !llvm.ptr
  %c = chan.talloc + 1 : <@phases.entry>
  chan.set "a0" of %c to %n : <@phases.entry>, i32
  // CHECK: chan.enq %{{.*}} site 0 to %{{.*}} : <@phases.entry>, !llvm.ptr
  chan.enq %c site 0 to %p : <@phases.entry>, !llvm.ptr
  // CHECK: chan.pend 1{{$}}
  chan.pend 1
  chan.done
}
// CHECK: chan.kernel @phases.1 consumes @phases.entry frame 8 phase 1 lanes 4 {
chan.kernel @phases.1 consumes @phases.entry frame 8 phase 1 lanes 4 {
  %e, %m = chan.deq : <@phases.entry> mask vector<4xi1>
  %n = chan.get "a0" of %e : <@phases.entry> -> vector<4xi32>
  // CHECK: chan.result %{{.*}} mask %[[M:.*]] : vector<4xi32>, vector<4xi1>
  chan.result %n mask %m : vector<4xi32>, vector<4xi1>
  // CHECK: chan.pend 1 mask %[[M]] : vector<4xi1>
  chan.pend 1 mask %m : vector<4xi1>
  chan.tfree %e : <@phases.entry>
  chan.done
}
// CHECK: chan.kernel @phases.2
chan.kernel @phases.2 consumes @phases.entry frame 8 phase 2 {
  %e = chan.deq : <@phases.entry>
  chan.tfree %e : <@phases.entry>
  // CHECK: %{{.*}}, %[[V:.*]] = chan.child 0 : i1, i32
  %spawned, %v = chan.child 0 : i1, i32
  // CHECK: chan.destination : !llvm.ptr
  %d = chan.destination : !llvm.ptr
  // CHECK: chan.result %[[V]] : i32
  chan.result %v : i32
  chan.done
}
// CHECK: chan.kernel @phases.all consumes @phases.entry frame 0 phase 3 lanes 4 compacted [@phases.enter, @phases.iterate] lane_refill {
chan.kernel @phases.all consumes @phases.entry frame 0 phase 3 lanes 4 compacted [@phases.enter, @phases.iterate] lane_refill {
  %e, %m = chan.deq : <@phases.entry> mask vector<4xi1>
  %n = chan.get "a0" of %e : <@phases.entry> -> vector<4xi32>
  chan.tfree %e : <@phases.entry>
  // CHECK: chan.base_cases_hoisted
  %t = chan.base_cases_hoisted
  // CHECK: chan.iteration mask %{{.*}} : vector<4xi1>
  chan.iteration mask %m : vector<4xi1>
  // CHECK: chan.reduce_result %{{.*}} mask %{{.*}} : vector<4xi32>, vector<4xi1>
  chan.reduce_result %n mask %m : vector<4xi32>, vector<4xi1>
  chan.done
}
chan.kernel @phases.enter consumes @phases.entry frame 0 phase 3 lanes 4 {
  %e, %m = chan.deq : <@phases.entry> mask vector<4xi1>
  %n = chan.get "a0" of %e : <@phases.entry> -> vector<4xi32>
  %i = llvm.mlir.constant(0 : i64) : i64
  chan.tfree %e : <@phases.entry>
  // CHECK: chan.iteration_enq %{{.*}}, %{{.*}} : vector<4xi32>, i64 mask %{{.*}} : vector<4xi1>
  chan.iteration_enq %n, %i : vector<4xi32>, i64 mask %m : vector<4xi1>
  chan.done
}
chan.kernel @phases.iterate consumes @phases.entry frame 0 phase 3 lanes 4 {
  %e, %m = chan.deq : <@phases.entry> mask vector<4xi1>
  // CHECK: %[[R:.*]]:2 = chan.iteration_deq : vector<4xi32>, i64
  %n, %i = chan.iteration_deq : vector<4xi32>, i64
  chan.tfree %e : <@phases.entry>
  // CHECK: chan.iteration_enq %[[R]]#0, %[[R]]#1 : vector<4xi32>, i64 mask
  chan.iteration_enq %n, %i : vector<4xi32>, i64 mask %m : vector<4xi1>
  chan.done
}

// What a batch combines at one address.
// CHECK: chan.stack entry @totals.entry(a0: i32, a1: !llvm.ptr) batch [@totals.0] uniform ["a1"]
chan.stack entry @totals.entry(a0: i32, a1: !llvm.ptr) batch [@totals.0] uniform ["a1"]
chan.kernel @totals consumes @totals.entry frame 0 {
  %e = chan.deq : <@totals.entry>
  chan.tfree %e : <@totals.entry>
  chan.done
}
chan.kernel @totals.0 consumes @totals.entry frame 0 phase 0 lanes 4 {
  %e, %m = chan.deq : <@totals.entry> mask vector<4xi1>
  %n = chan.get "a0" of %e : <@totals.entry> -> vector<4xi32>
  %p = chan.get "a1" of %e : <@totals.entry> -> !llvm.ptr
  chan.tfree %e : <@totals.entry>
  // CHECK: chan.reduce_shared umax %{{.*}} to %{{.*}} mask %{{.*}} : vector<4xi32>, !llvm.ptr, vector<4xi1>
  chan.reduce_shared umax %n to %p mask %m : vector<4xi32>, !llvm.ptr, vector<4xi1>
  chan.done
}

// What other processors do, and what lanes are not for.
// CHECK: chan.stack entry @other.entry(a0: i32) other_batch
chan.stack entry @other.entry(a0: i32) other_batch
// CHECK: chan.kernel @other consumes @other.entry frame 0 without_lanes {
chan.kernel @other consumes @other.entry frame 0 without_lanes {
  %e = chan.deq : <@other.entry>
  chan.tfree %e : <@other.entry>
  chan.done
}

// A kernel is run once for each iteration of a range.
// CHECK: chan.stack entry @loop.entry ranges(a0: i64, a1: i64, a2: !llvm.ptr)
chan.stack entry @loop.entry ranges(a0: i64, a1: i64, a2: !llvm.ptr)
chan.kernel @loop.0 consumes @loop.entry frame 0 {
  %e = chan.deq : <@loop.entry>
  // CHECK: chan.range_iteration %{{.*}} : <@loop.entry>
  %i = chan.range_iteration %e : <@loop.entry>
  chan.tfree %e : <@loop.entry>
  chan.done
}
// CHECK: attributes {chan.range}
llvm.func @loop(%i: i64, %count: i64, %p: !llvm.ptr) attributes {chan.range} {
  llvm.return
}

// 16 iterations are a work-group.
// CHECK: chan.stack entry @tiles.entry ranges groups of 16 memory 1024(a0: i64, a1: i64)
chan.stack entry @tiles.entry ranges groups of 16 memory 1024(a0: i64, a1: i64)
chan.kernel @tiles.0 consumes @tiles.entry frame 0 {
  %e = chan.deq : <@tiles.entry>
  chan.tfree %e : <@tiles.entry>
  chan.done
}
