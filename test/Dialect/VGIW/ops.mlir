// Every op in text and bytecode.
// RUN: cilk2chan-opt %s | FileCheck %s
// RUN: cilk2chan-opt %s --verify-roundtrip -o /dev/null
// RUN: cilk2chan-opt %s --emit-bytecode | cilk2chan-opt | FileCheck %s

// CHECK-LABEL: vgiw.kernel @graph graph consumes "fib.0" source "fib"
// CHECK-SAME: parameters [#vgiw.binding<argument>, #vgiw.binding<field, 1>,
// CHECK-SAME: #vgiw.binding<column, 2 of "fib.0" + 1>, #vgiw.binding<control of "fib.1">,
// CHECK-SAME: #vgiw.binding<frames, 48>, #vgiw.binding<private>]
// CHECK-SAME: private 16
vgiw.kernel @graph graph consumes "fib.0" source "fib"
    parameters [#vgiw.binding<argument>, #vgiw.binding<field, 1>,
                #vgiw.binding<column, 2 of "fib.0" + 1>,
                #vgiw.binding<control of "fib.1" + 0>,
                #vgiw.binding<frames, 48>, #vgiw.binding<private>] private 16 {
  // CHECK: %[[THREAD:.*]] = vgiw.initiate
  %thread = vgiw.initiate
  // CHECK: vgiw.constant 4 : i64
  %four = vgiw.constant 4 : i64
  // CHECK: vgiw.symbol "table" + 8
  %table = vgiw.symbol "table" + 8
  // CHECK: vgiw.parameter 0 : i64
  %base = vgiw.parameter 0 : i64
  // CHECK: vgiw.compute mad {{.*}} : (i64, i64, i64) -> i64
  %at = vgiw.compute mad %thread, %four, %base : (i64, i64, i64) -> i64
  // CHECK: vgiw.load {{.*}} -> i32
  %a = vgiw.load %at -> i32
  // CHECK: vgiw.store {{.*}} to {{.*}} after {{.*}} : i32 : i32
  %s = vgiw.store %a to %table after %a : i32 : i32
  // CHECK: vgiw.atomic add {{.*}} to {{.*}} after {{.*}} : !vgiw.token : i32
  %o = vgiw.atomic add %a to %table after %s : !vgiw.token : i32
  // CHECK: vgiw.cas {{.*}}, {{.*}} at {{.*}} : i32
  %c = vgiw.cas %a, %o at %table : i32
  // CHECK: vgiw.reserve {{.*}}
  %r = vgiw.reserve %base
  // CHECK: vgiw.pop {{.*}}
  %frame = vgiw.pop %base
  // CHECK: vgiw.push {{.*}} on {{.*}}
  %f = vgiw.push %frame on %base
  // CHECK: vgiw.heap_call "thunk"({{.*}}) after {{.*}} : !vgiw.token
  %freed = vgiw.heap_call "thunk"(%at) after %f : !vgiw.token
  // CHECK: vgiw.syscall "thunk"({{.*}}) after {{.*}} : !vgiw.token
  %done = vgiw.syscall "thunk"(%at) after %freed : !vgiw.token
  // CHECK: vgiw.split {{.*}} : i32
  %copy = vgiw.split %c : i32
  // CHECK: vgiw.join {{.*}} after {{.*}} : !vgiw.token : i32
  %both = vgiw.join %copy after %done : !vgiw.token : i32
  // CHECK: vgiw.compute slt
  %less = vgiw.compute slt %both, %a : (i32, i32) -> i1
  // CHECK: vgiw.cond_branch {{.*}}, ^bb1({{.*}} : i64), ^bb2
  vgiw.cond_branch %less, ^next(%r : i64), ^full
// CHECK: ^bb1(
^next(%place: i64):
  // CHECK: vgiw.branch ^bb3 after {{.*}} : i64
  vgiw.branch ^end after %place : i64
^full:
  // CHECK: vgiw.yield ^bb1({{.*}} : i64)
  vgiw.yield ^next(%r : i64)
^end:
  // CHECK: vgiw.exit
  vgiw.exit
}

// CHECK-LABEL: vgiw.kernel @groups graph launch range parameters
// CHECK-SAME: [#vgiw.binding<group>] groups of 16 memory 1024 {
vgiw.kernel @groups graph launch range parameters [#vgiw.binding<group>]
    groups of 16 memory 1024 {
  %thread = vgiw.initiate
  // CHECK: vgiw.barrier ^bb1({{.*}} : i64)
  vgiw.barrier ^next(%thread : i64)
^next(%t : i64):
  vgiw.exit
}

// CHECK-LABEL: vgiw.kernel @live live parameters [] live_values 1
vgiw.kernel @live live parameters [] live_values 1 {
  %thread = vgiw.initiate
  // CHECK: vgiw.live_store {{.*}} to 0 : i64
  %s = vgiw.live_store %thread to 0 : i64
  vgiw.branch ^end after %s : !vgiw.token
^end:
  %t = vgiw.initiate
  // CHECK: vgiw.live_load 0 of {{.*}} : i64 -> i64
  %v = vgiw.live_load 0 of %t : i64 -> i64
  vgiw.exit after %v : i64
}

// Addresses that units compute.
// CHECK-LABEL: vgiw.kernel @addresses
vgiw.kernel @addresses graph parameters [#vgiw.binding<argument>] {
  %t = vgiw.initiate
  %p = vgiw.parameter 0 : i64
  %i = vgiw.compute trunc %t : (i64) -> i32
  // CHECK: vgiw.load %[[T:.*]] + 8 -> f32
  %a = vgiw.load %t + 8 -> f32
  // CHECK: vgiw.load %[[P:.*]][%[[T]] : i64 * 1] + -4 -> f32
  %b = vgiw.load %p[%t : i64 * 1] + -4 -> f32
  // CHECK: vgiw.store %{{.*}} to %[[P]][%[[I:.*]] : i32 * 4] after %{{.*}} : f32 : f32
  %c = vgiw.store %b to %p[%i : i32 * 4] after %a : f32 : f32
  // CHECK: vgiw.atomic add %{{.*}} to %[[P]][%[[I]] : i32 zext * 32768] + 16 after %{{.*}} : !vgiw.token : i32
  %d = vgiw.atomic add %i to %p[%i : i32 zext * 32768] + 16 after %c : !vgiw.token : i32
  // CHECK: vgiw.atomic xchg %{{.*}} to %[[P]] after %{{.*}} : i32 : f32
  %e = vgiw.atomic xchg %a to %p after %d : i32 : f32
  vgiw.exit
}

// One graph of a whole kernel.
// CHECK-LABEL: vgiw.kernel @single
vgiw.kernel @single graph parameters [] {
  %t = vgiw.initiate
  %z = vgiw.compute mul %t, %t : (i64, i64) -> i64
  // CHECK: %[[I:.*]] = vgiw.merge %{{.*}} : i64 -> i64
  %i = vgiw.merge %z : i64 -> i64
  %c = vgiw.compute slt %i, %t : (i64, i64) -> i1
  // CHECK: vgiw.steer %[[I]] if %{{.*}} : i64
  %y = vgiw.steer %i if %c : i64
  // CHECK: vgiw.steer %[[I]] unless %{{.*}} : i64
  %n = vgiw.steer %i unless %c : i64
  // CHECK: vgiw.back %{{.*}} to %[[I]] : i64
  vgiw.back %y to %i : i64
  // CHECK: vgiw.restart after %{{.*}} : i64
  vgiw.restart after %n : i64
}
