//===- single-graph.mlir - One graph of all blocks of a kernel ------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --pass-pipeline='builtin.module(vgiw.kernel(vgiw-single-graph))' \
// RUN:   --split-input-file --verify-diagnostics %s | FileCheck %s

// A value that one arm computes is merged with the value of the other way. What
// both need comes directly.
// CHECK-LABEL: vgiw.kernel @arm live
// CHECK: %[[T:.*]] = vgiw.initiate
// CHECK: %[[C:.*]] = vgiw.compute eq %[[T]]
// CHECK: %[[Y:.*]] = vgiw.steer %[[T]] if %[[C]] : i64
// CHECK: %[[N:.*]] = vgiw.steer %[[T]] unless %[[C]] : i64
// CHECK: %[[Z:.*]] = vgiw.compute add %[[Y]]
// CHECK: %[[V:.*]] = vgiw.merge %[[N]], %[[Z]] : i64, i64 -> i64
// CHECK: %[[D:.*]] = vgiw.store %[[V]] to %[[T]] : i64
// CHECK: vgiw.exit after %[[D]]
vgiw.kernel @arm graph parameters [] {
  %t = vgiw.initiate
  %k = vgiw.constant 7 : i64
  %c = vgiw.compute eq %t, %k : (i64, i64) -> i1
  vgiw.cond_branch %c, ^arm, ^join(%t : i64)
^arm:
  %z = vgiw.compute add %t, %k : (i64, i64) -> i64
  vgiw.branch ^join(%z : i64)
^join(%v: i64):
  %d = vgiw.store %v to %t : i64
  vgiw.exit
}

// -----

// A loop: edges lead back to merges, and the condition waits for the store.
// CHECK-LABEL: vgiw.kernel @loop live
// CHECK: %[[T:.*]] = vgiw.initiate
// CHECK: %[[I:.*]] = vgiw.merge
// CHECK: %[[D:.*]] = vgiw.store %[[I]] to
// CHECK: %[[NEXT:.*]] = vgiw.compute add %[[I]]
// CHECK: %[[LESS:.*]] = vgiw.compute ult %[[NEXT]]
// CHECK: %[[C:.*]] = vgiw.join %[[LESS]] after {{.*}}%[[D]]
// CHECK: %[[B:.*]] = vgiw.steer %[[NEXT]] if %[[C]]
// CHECK: vgiw.back %[[B]] to %[[I]]
vgiw.kernel @loop graph parameters [#vgiw.binding<argument>] {
  %t = vgiw.initiate
  %p = vgiw.parameter 0 : i64
  %one = vgiw.constant 1 : i64
  %most = vgiw.constant 10 : i64
  vgiw.branch ^body(%t : i64)
^body(%i: i64):
  %d = vgiw.store %i to %p : i64
  %next = vgiw.compute add %i, %one : (i64, i64) -> i64
  %c = vgiw.compute ult %next, %most : (i64, i64) -> i1
  vgiw.cond_branch %c, ^body(%next : i64), ^end
^end:
  vgiw.exit
}

// -----

// A thread that finds a channel full begins anew.
// CHECK-LABEL: vgiw.kernel @full live
// CHECK: vgiw.reserve
// CHECK: vgiw.cond_branch %{{.*}}, ^[[EXIT:.*]], ^[[RESTART:.*]]
// CHECK: ^[[EXIT]]:
// CHECK: vgiw.exit
// CHECK: ^[[RESTART]]:
// CHECK: vgiw.restart
vgiw.kernel @full graph parameters [#vgiw.binding<control of "f" + 1>] {
  %t = vgiw.initiate
  %p = vgiw.parameter 0 : i64
  %none = vgiw.constant -1 : i64
  vgiw.branch ^try
^try:
  %i = vgiw.reserve %p
  %c = vgiw.compute sgt %i, %none : (i64, i64) -> i1
  vgiw.cond_branch %c, ^end, ^wait
^wait:
  vgiw.yield ^try
^end:
  %d = vgiw.store %i to %t : i64
  vgiw.exit
}

// -----

vgiw.kernel @late graph parameters [#vgiw.binding<control of "f" + 1>] {
  %t = vgiw.initiate
  %p = vgiw.parameter 0 : i64
  %none = vgiw.constant -1 : i64
  // expected-error @+2 {{kernel 'late' cannot run on this machine: it writes memory, and later may spawn a task or start a loop; if there is no room for that task, the thread starts over, and would do the former twice}}
  // expected-note @+1 {{machines of kind 'sgmf' have this limit; take one of kind 'vgiw': '--machine=micro15-vgiw'}}
  %d = vgiw.store %t to %t : i64
  vgiw.branch ^try
^try:
  %i = vgiw.reserve %p
  %c = vgiw.compute sgt %i, %none : (i64, i64) -> i1
  vgiw.cond_branch %c, ^end, ^wait
^wait:
  vgiw.yield ^try
^end:
  vgiw.exit
}

// -----

// What it does first is said in words of C: a store into the place of a task is a part
// of its spawn, one into memory from a free list saves variables, and calls of the
// host are calls.
vgiw.kernel @spawns graph source "twice" parameters [
    #vgiw.binding<control of "f" + 1>, #vgiw.binding<column, 0 of "f" + 1>] {
  %t = vgiw.initiate
  %p = vgiw.parameter 0 : i64
  %q = vgiw.parameter 1 : i64
  %none = vgiw.constant -1 : i64
  %eight = vgiw.constant 8 : i64
  %place = vgiw.compute mad %t, %eight, %q : (i64, i64, i64) -> i64
  // expected-error @+2 {{'twice' cannot run on this machine: it spawns a task or starts a loop, and later may spawn}}
  // expected-note @+1 {{machines of kind 'sgmf'}}
  %d = vgiw.store %t to %place : i64
  vgiw.branch ^try
^try:
  %i = vgiw.reserve %p
  %c = vgiw.compute sgt %i, %none : (i64, i64) -> i1
  vgiw.cond_branch %c, ^end, ^wait
^wait:
  vgiw.yield ^try
^end:
  vgiw.exit
}

// -----

vgiw.kernel @twice.1 graph source "twice" parameters [#vgiw.binding<control of "f" + 1>] {
  %t = vgiw.initiate
  %p = vgiw.parameter 0 : i64
  %none = vgiw.constant -1 : i64
  // expected-error @+2 {{part 2 of 'twice' cannot run on this machine: it has the host call a function, and later may spawn}}
  // expected-note @+1 {{machines of kind 'sgmf'}}
  %d = vgiw.syscall "thunk"(%t)
  vgiw.branch ^try
^try:
  %i = vgiw.reserve %p
  %c = vgiw.compute sgt %i, %none : (i64, i64) -> i1
  vgiw.cond_branch %c, ^end, ^wait
^wait:
  vgiw.yield ^try
^end:
  vgiw.exit
}

// -----

vgiw.kernel @__cilk_body.0.0 graph source "rows" parameters [
    #vgiw.binding<control of "f" + 1>, #vgiw.binding<frames, 8>] {
  %t = vgiw.initiate
  %p = vgiw.parameter 0 : i64
  %list = vgiw.parameter 1 : i64
  %none = vgiw.constant -1 : i64
  // expected-error @+2 {{the body of the cilk_for in 'rows' cannot run on this machine: it saves variables for the code behind a sync or loop, and later may spawn}}
  // expected-note @+1 {{machines of kind 'sgmf'}}
  %frame = vgiw.pop %list
  %d = vgiw.store %t to %frame : i64
  vgiw.branch ^try
^try:
  %i = vgiw.reserve %p
  %c = vgiw.compute sgt %i, %none : (i64, i64) -> i1
  vgiw.cond_branch %c, ^end, ^wait
^wait:
  vgiw.yield ^try
^end:
  vgiw.exit
}

// -----

// expected-error @+2 {{kernel 'endless' cannot run on this machine: it never ends}}
// expected-note @+1 {{machines of kind 'sgmf'}}
vgiw.kernel @endless graph parameters [] {
  %t = vgiw.initiate
  vgiw.branch ^again
^again:
  %d = vgiw.store %t to %t : i64
  vgiw.branch ^again
}

// -----

// expected-error @+2 {{kernel 'irreducible' cannot run on this machine: it has a loop that 'goto' enters at several places}}
// expected-note @+1 {{machines of kind 'sgmf'}}
vgiw.kernel @irreducible graph parameters [#vgiw.binding<argument>] {
  %t = vgiw.initiate
  %p = vgiw.parameter 0 : i64
  %c = vgiw.compute eq %t, %p : (i64, i64) -> i1
  vgiw.cond_branch %c, ^a, ^b
^a:
  %x = vgiw.load %p -> i64
  vgiw.branch ^b
^b:
  %y = vgiw.load %p -> i1
  vgiw.cond_branch %y, ^a, ^end
^end:
  vgiw.exit
}
