//===- not-spawned.mlir - Parallel loops that are left as they are --------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The loop is as in spawn-iterations.mlir but for one thing.
// RUN: cilk2chan-opt --cilk-spawn-iterations %s | FileCheck --check-prefix=YES %s
// YES: cilk.spawn @f
// YES-NOT: cilk.for
// RUN: sed -e 's/cilk.call @f(/cilk.call @other(/' %s | cilk2chan-opt --cilk-spawn-iterations | FileCheck --check-prefix=NO %s
// NO-NOT: cilk.spawn @{{f|other}}(
// NO: cilk.for

// Its result is used, or something comes behind the call: it waits for it.
// RUN: sed -e 's/add %i, %i/add %result, %i/' %s | cilk2chan-opt --cilk-spawn-iterations | FileCheck --check-prefix=NO %s
// RUN: sed -e 's,//BEHIND,,' %s | cilk2chan-opt --cilk-spawn-iterations | FileCheck --check-prefix=NO %s
// RUN: sed -e 's,//LAST,,' %s | cilk2chan-opt --cilk-spawn-iterations | FileCheck --check-prefix=NO %s
// What is computed of it may be; not if it is stored in two places or is the
// place. It is when the result comes where the same iterations are not found
// again behind the sync, as children may change what says which these are, or
// where it is of another type, but then of the result alone.
// RUN: sed -e 's,//COMPUTED,,; s,store %result,store %computed,' %s | cilk2chan-opt --cilk-spawn-iterations | FileCheck --check-prefix=YES %s
// RUN: sed -e 's,//NARROW,,; s,store %result.*,store %narrow\, %at : i32\, !llvm.ptr,' %s | cilk2chan-opt --cilk-spawn-iterations | FileCheck --check-prefix=APPLY %s
// RUN: sed -e 's,//NARROW,,; s,store %result.*,store %narrow\, %at : i32\, !llvm.ptr,; s,//COMPUTED,,; s,trunc %result,trunc %computed,' %s | cilk2chan-opt --cilk-spawn-iterations | FileCheck --check-prefix=NO %s
// RUN: sed -e 's,//COMPUTED,,; s,store %result,store %computed,; s,//LOADED,,; s/sub %i, %result/mul %result, %result/' %s | cilk2chan-opt --cilk-spawn-iterations | FileCheck --check-prefix=APPLY %s
// APPLY: llvm.func internal @f.assign(%[[PLACE:[a-z0-9]*]]: !llvm.ptr, %[[FROM:[a-z0-9]*]]: !llvm.ptr)
// APPLY-NEXT: %[[RESULT:.*]] = llvm.load %[[FROM]] : !llvm.ptr -> i64
// APPLY-NEXT: %[[NEW:.*]] = llvm.{{trunc|mul}} %[[RESULT]]
// APPLY-NEXT: llvm.store %[[NEW]], %[[PLACE]]
// APPLY: cilk.spawn @f(%{{.*}}) to %{{.*}} apply @f.assign
// APPLY-NOT: cilk.for
// APPLY-NOT: llvm.mul
// RUN: sed -e 's,//COMPUTED,,; s,store %result,store %computed,; s,//LAST llvm.store %i,llvm.store %computed,' %s | cilk2chan-opt --cilk-spawn-iterations | FileCheck --check-prefix=NO %s
// RUN: sed -e 's,//COMPUTED,,; s,store %result,store %computed,; s,\[%i\],[%result],' %s | cilk2chan-opt --cilk-spawn-iterations | FileCheck --check-prefix=NO %s
// RUN: sed -e 's,//COMPUTED,,; s,store %result,store %computed,; s,//LOADED,,' %s | cilk2chan-opt --cilk-spawn-iterations | FileCheck --check-prefix=NO %s
// Nor where it goes is of unknown size, or others'.
// RUN: sed -e 's,//COMPUTED,,; s,store %result,store %computed,; s,alloca %one x,alloca %n x,; s/one x i64 : (i32)/one x i64 : (i64)/' -e 's,alloca %n x i64 : (i32),alloca %n x i64 : (i64),' %s | cilk2chan-opt --cilk-spawn-iterations | FileCheck --check-prefix=NO %s
// RUN: sed -e 's,//LOADED,,' %s | cilk2chan-opt --cilk-spawn-iterations | FileCheck --check-prefix=YES %s
// Iterations without a call have more to do than a store.
// RUN: sed -e 's,//ELSE,,' %s | cilk2chan-opt --cilk-spawn-iterations | FileCheck --check-prefix=YES %s
// RUN: sed -e 's,//ELSE,,; s,//MORE,,' %s | cilk2chan-opt --cilk-spawn-iterations | FileCheck --check-prefix=NO %s
// One has a loop, a call or an object of its own.
// RUN: sed -e 's/br ^call$/cond_br %odd, ^iteration, ^call/' %s | cilk2chan-opt --cilk-spawn-iterations | FileCheck --check-prefix=NO %s
// RUN: sed -e 's,//CALL,,' %s | cilk2chan-opt --cilk-spawn-iterations | FileCheck --check-prefix=NO %s
// RUN: sed -e 's,//OBJECT,,' %s | cilk2chan-opt --cilk-spawn-iterations | FileCheck --check-prefix=NO %s
// Nor is the call in a loop of the iteration's.
// RUN: sed -e 's/br ^next$/cond_br %odd, ^call, ^next/' %s | cilk2chan-opt --cilk-spawn-iterations | FileCheck --check-prefix=NO %s
// There are two calls.
// RUN: sed -e 's,//TWICE,,' %s | cilk2chan-opt --cilk-spawn-iterations | FileCheck --check-prefix=NO %s
// The loop has a grain, or its function spawns otherwise.
// RUN: sed -e 's/times %n/times %n grain %n/' %s | cilk2chan-opt --cilk-spawn-iterations | FileCheck --check-prefix=NO %s
// RUN: sed -e 's,//SPAWN,,' %s | cilk2chan-opt --cilk-spawn-iterations | FileCheck --check-prefix=NO %s

llvm.func @plain(i64)
llvm.func @leaf(%n: i64) -> i64 {
  llvm.return %n : i64
}
llvm.func @other(%n: i64) -> i64 {
  cilk.spawn @leaf(%n) : !llvm.func<i64 (i64)>, i64
  cilk.sync
  llvm.return %n : i64
}
llvm.func @f(%n: i64) -> i64 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %p = llvm.alloca %one x i64 : (i32) -> !llvm.ptr
  //SPAWN cilk.spawn @leaf(%n) to %p : !llvm.func<i64 (i64)>, i64
  cilk.for @__cilk_body.0(%p) times %n : !llvm.ptr
  llvm.return %n : i64
}
llvm.func internal @__cilk_body.0(%begin: i64, %end: i64, %p: !llvm.ptr) {
  %one = llvm.mlir.constant(1 : i64) : i64
  llvm.br ^header(%begin : i64)
^header(%i: i64):
  %more = llvm.icmp "ne" %i, %end : i64
  llvm.cond_br %more, ^iteration, ^end
^iteration:
  //OBJECT %object = llvm.alloca %one x i64 : (i64) -> !llvm.ptr
  //CALL llvm.call @plain(%i) : (i64) -> ()
  llvm.store %i, %p : i64, !llvm.ptr
  %loaded = llvm.load %p : !llvm.ptr -> i64
  %odd = llvm.trunc %i : i64 to i1
  //LOADED %which = llvm.trunc %loaded : i64 to i1
  //LOADED llvm.cond_br %which, ^choose, ^next
  //LOADED ^choose:
  llvm.cond_br %odd, ^ahead, ^else
^ahead:
  llvm.br ^call
^call:
  //TWICE %first = cilk.call @f(%i) : !llvm.func<i64 (i64)>, i64 -> i64
  %result = cilk.call @f(%i) : !llvm.func<i64 (i64)>, i64 -> i64
  %double = llvm.add %i, %i : i64
  //COMPUTED %computed = llvm.sub %i, %result : i64
  //NARROW %narrow = llvm.trunc %result : i64 to i32
  %at = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  llvm.store %result, %at : i64, !llvm.ptr
  //LAST llvm.store %i, %p : i64, !llvm.ptr
  llvm.br ^next
^else:
  //ELSE llvm.store %i, %p : i64, !llvm.ptr
  //MORE llvm.store %one, %p : i64, !llvm.ptr
  llvm.br ^next
^next:
  //BEHIND llvm.store %one, %p : i64, !llvm.ptr
  %i2 = llvm.add %i, %one : i64
  llvm.br ^header(%i2 : i64)
^end:
  llvm.return
}
