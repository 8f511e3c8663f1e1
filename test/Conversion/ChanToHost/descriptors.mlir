//===- descriptors.mlir - Channels as data, and their registration --------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: cilk2chan-opt --chan-to-host %s | FileCheck %s
// RUN: cilk2chan-opt '--chan-to-host=processor=x86-64-v3 features=avx,avx2' %s | FileCheck --check-prefix=PROCESSOR %s

// What the processor must have is checked by code that needs none of it.
// PROCESSOR: llvm.mlir.global internal constant @__chan_processor("x86-64-v3\00")
// PROCESSOR: llvm.mlir.global internal constant @__chan_features("avx,avx2\00")
// PROCESSOR: llvm.mlir.global internal @__chan_module()
// PROCESSOR: llvm.mlir.addressof @__chan_processor
// PROCESSOR: llvm.mlir.addressof @__chan_features
// PROCESSOR: llvm.func internal @__chan_register() attributes {target_cpu = "x86-64", target_features = #llvm.target_features<["+sse2"]>}

module attributes {dlti.dl_spec = #dlti.dl_spec<i32 = dense<32> : vector<2xi64>, i64 = dense<64> : vector<2xi64>>} {
llvm.func @f(i32, i64) -> i32
llvm.func @w()
llvm.func internal @f.serial(%worker: !llvm.ptr, %a: i32, %b: i64) -> i32 {
  llvm.return %a : i32
}
chan.stack entry @f.entry(a0: i32, a1: i64, ret: !llvm.ptr) function @f serial @f.serial counted width 77 : !llvm.func<i32 (i32, i64)>
chan.stack continuation @f.after1(frame: !llvm.ptr)
chan.stack entry @w.entry() interposable function @w : !llvm.func<void ()>

chan.kernel @f.0 consumes @f.entry frame 48 source @f {
  %e = chan.deq : <@f.entry>
  chan.tfree %e : <@f.entry>
  chan.done
}
chan.kernel @f.1 consumes @f.after1 frame 48 source @f {
  %e = chan.deq : <@f.after1>
  chan.tfree %e : <@f.after1>
  chan.done
}
chan.kernel @w.0 consumes @w.entry frame 0 source @w {
  %e = chan.deq : <@w.entry>
  chan.tfree %e : <@w.entry>
  chan.done
}
}

// Offset and size of each field, by falling alignment.
// CHECK: llvm.mlir.global internal constant @f.entry.fields(dense<[0, 8, 8, 8, 16, 4]> : tensor<6xi32>)
// CHECK: llvm.mlir.global internal constant @f.entry.name("f.0\00")
// CHECK: llvm.mlir.global internal @f.entry.state() {{.*}}alignment = 64 : i64{{.*}} : !llvm.array<64 x i8>
// CHECK: llvm.mlir.global internal constant @f.entry()
// CHECK-SAME: !llvm.struct<(ptr, ptr, ptr, i32, i32, i32, i32, ptr, ptr, ptr, i32, i32, i32)> {
// CHECK: llvm.mlir.addressof @f.entry.name
// CHECK: llvm.mlir.addressof @f.0
// CHECK: llvm.mlir.addressof @f.entry.fields
// CHECK: llvm.mlir.constant(3 : i32)
// CHECK: llvm.mlir.constant(20 : i32)
// CHECK: llvm.mlir.constant(48 : i32)
// CHECK: llvm.mlir.constant(0 : i32)
// CHECK: llvm.mlir.addressof @f.entry.state
// The width, one lane, and a clone that counts.
// CHECK: llvm.mlir.constant(77 : i32)
// CHECK: llvm.mlir.constant(1 : i32)
// CHECK: llvm.mlir.constant(1 : i32)
// CHECK: llvm.mlir.global internal constant @f.after1()
// CHECK: llvm.mlir.constant(1 : i32)
// CHECK: llvm.mlir.constant(8 : i32)
// CHECK: llvm.mlir.constant(48 : i32)
// CHECK: llvm.mlir.constant(1 : i32)

// One function is found by its address; another may take the weak one's place.
// CHECK: llvm.mlir.global internal constant @__chan_exports() {{.*}} : !llvm.array<1 x struct<(ptr, ptr, i64)>>
// CHECK: llvm.mlir.addressof @f :
// CHECK: llvm.mlir.addressof @f.entry :
// CHECK: llvm.mlir.global internal @__chan_module()
// CHECK: llvm.func internal @__chan_register()
// CHECK: llvm.call @chan_register(
// CHECK: llvm.func internal @__chan_unregister()
// CHECK: llvm.mlir.global_ctors ctors = [@__chan_register], priorities = [101 : i32]
// CHECK: llvm.mlir.global_dtors dtors = [@__chan_unregister], priorities = [101 : i32]
// CHECK: llvm.func @__chan_stub.w()
