//===- math.mlir - Math functions, for lanes and lane by lane -------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --chan-simd="lanes=8 vector-bits=512" %s | FileCheck --check-prefix=NONE %s
// RUN: cilk2chan-opt --chan-simd="lanes=8 vector-bits=256 vector-library=libmvec" %s | FileCheck %s
// RUN: cilk2chan-opt --chan-simd="lanes=2 vector-bits=256 vector-library=libmvec" %s | FileCheck --check-prefix=TWO %s
// RUN: cilk2chan-opt --chan-simd="lanes=8 vector-bits=128 vector-library=libmvec" %s | FileCheck --check-prefix=NARROW %s
// RUN: cilk2chan-opt --chan-simd="lanes=8 vector-bits=512 vector-library=AMDLIBM" %s | FileCheck --check-prefix=AMD %s

module attributes {llvm.target_triple = "x86_64-pc-linux-gnu"} {
llvm.func @cbrt(f64) -> f64

// Functions for vectors round otherwise, so an option has to name their library.
// NONE-NOT: _ZGV
// NONE-NOT: amd

chan.stack entry @s(x: f64, y: f32, ret: !llvm.ptr) batch [@all.batch.0]
// NONE-LABEL: chan.kernel @all.batch.0
// NONE: llvm.intr.sin({{.*}}) : (f64) -> f64
// NONE: llvm.intr.pow({{.*}}) : (f64, f64) -> f64
// NONE: llvm.intr.exp({{.*}}) : (f32) -> f32
// NONE: llvm.intr.log2({{.*}}) : (f64) -> f64
// NONE: llvm.call @cbrt({{.*}}) {{.*}} : (f64) -> f64

// As many as a register has at a time.
// CHECK-LABEL: chan.kernel @all.batch.0
// CHECK: %[[X:.*]] = chan.get "x"
// CHECK: %[[LOW:.*]] = llvm.shufflevector %[[X]], %[[X]] [0, 1, 2, 3] : vector<8xf64>
// CHECK: %[[A:.*]] = llvm.call @_ZGVdN4v_sin(%[[LOW]]) : (vector<4xf64>) -> vector<4xf64>
// CHECK: %[[HIGH:.*]] = llvm.shufflevector %[[X]], %[[X]] [4, 5, 6, 7] : vector<8xf64>
// CHECK: %[[B:.*]] = llvm.call @_ZGVdN4v_sin(%[[HIGH]]) : (vector<4xf64>) -> vector<4xf64>
// CHECK: llvm.shufflevector %[[A]], %[[B]] [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xf64>
// CHECK-COUNT-2: llvm.call @_ZGVdN4vv_pow(
// CHECK: llvm.call @_ZGVdN8v_expf({{.*}}) : (vector<8xf32>) -> vector<8xf32>
// What the library does not have.
// CHECK: llvm.intr.log2({{.*}}) : (f64) -> f64
// CHECK: llvm.call @cbrt(

// With fewer lanes than the function is for some are computed twice.
// TWO-LABEL: chan.kernel @all.batch.0
// TWO: %[[Y:.*]] = chan.get "y"
// TWO: llvm.call @_ZGVbN2v_sin(
// TWO: %[[FOUR:.*]] = llvm.shufflevector %[[Y]], %[[Y]] [0, 1, 0, 1] : vector<2xf32>
// TWO: %[[ALL:.*]] = llvm.call @_ZGVbN4v_expf(%[[FOUR]])
// TWO: llvm.shufflevector %[[ALL]], %[[ALL]] [0, 1] : vector<4xf32>

// Never more than the processor has.
// NARROW-LABEL: chan.kernel @all.batch.0
// NARROW-COUNT-4: llvm.call @_ZGVbN2v_sin(
// NARROW-COUNT-4: llvm.call @_ZGVbN2vv_pow(
// NARROW-COUNT-2: llvm.call @_ZGVbN4v_expf(
// NARROW-NOT: _ZGVd

// AMD-LABEL: chan.kernel @all.batch.0
// AMD: llvm.call @amd_vrd8_sin(
// AMD: llvm.call @amd_vrd8_pow(
// AMD: llvm.call @amd_vrs8_expf(
// AMD: llvm.call @amd_vrd8_log2(
// AMD: llvm.call @amd_vrd2_cbrt(
chan.kernel @all consumes @s frame 0 {
  %e = chan.deq : <@s>
  chan.tfree %e : <@s>
  chan.done
}
chan.kernel @all.batch.0 consumes @s frame 0 phase 0 {
  %e = chan.deq : <@s>
  %x = chan.get "x" of %e : <@s> -> f64
  %y = chan.get "y" of %e : <@s> -> f32
  chan.tfree %e : <@s>
  %sin = llvm.intr.sin(%x) : (f64) -> f64
  %pow = llvm.intr.pow(%x, %sin) : (f64, f64) -> f64
  %exp = llvm.intr.exp(%y) : (f32) -> f32
  %log2 = llvm.intr.log2(%pow) : (f64) -> f64
  %root = llvm.call @cbrt(%log2) {memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>, no_unwind, will_return} : (f64) -> f64
  %wide = llvm.fpext %exp : f32 to f64
  %sum = llvm.fadd %root, %wide : f64
  chan.result %sum : f64
  chan.done
}

chan.stack entry @s1(ret: !llvm.ptr) batch [@same.batch.0]
// One call where all lanes have the same.
// CHECK-LABEL: chan.kernel @same.batch.0
// CHECK-NOT: llvm.call
// CHECK: %[[LOG:.*]] = llvm.intr.log(%{{.*}}) : (f64) -> f64
// CHECK-NOT: llvm.call
// CHECK: chan.result
chan.kernel @same consumes @s1 frame 0 {
  %e = chan.deq : <@s1>
  chan.tfree %e : <@s1>
  chan.done
}
chan.kernel @same.batch.0 consumes @s1 frame 0 phase 0 {
  %e = chan.deq : <@s1>
  chan.tfree %e : <@s1>
  %three = llvm.mlir.constant(3.0 : f64) : f64
  %log = llvm.intr.log(%three) : (f64) -> f64
  chan.result %log : f64
  chan.done
}

// CHECK: llvm.func @_ZGVdN4v_sin(vector<4xf64>) -> vector<4xf64> attributes {memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none, {{.*}}no_unwind, will_return}
}
