// What all threads share becomes a parameter that is computed once for a tile. In sums it is added first.
// RUN: cilk2chan-opt --pass-pipeline='builtin.module(vgiw.kernel(vgiw-compute-parameters))' %s | FileCheck %s
// RUN: cilk2chan-opt --pass-pipeline='builtin.module(vgiw.kernel(vgiw-compute-parameters))' %s | cilk2chan-opt | FileCheck %s

// CHECK-LABEL: vgiw.kernel @strides
// CHECK-SAME: [#vgiw.binding<capture, 5>, #vgiw.binding<capture, 6>,
// CHECK-SAME: #vgiw.binding<computed by "sext.i32.i64" [0 : index]>,
// CHECK-SAME: #vgiw.binding<computed by "shl.i64" [2 : index, 2]>,
// CHECK-SAME: #vgiw.binding<computed by "add.i64" [3 : index, 3 : index]>]
// CHECK: %[[T:.*]] = vgiw.initiate
// CHECK: %[[ONCE:.*]] = vgiw.parameter 3 : i64
// CHECK: %[[A:.*]] = vgiw.compute add %[[T]], %[[ONCE]]
// CHECK: %[[TWICE:.*]] = vgiw.parameter 4 : i64
// CHECK: %[[B:.*]] = vgiw.compute add %[[T]], %[[TWICE]]
// CHECK-NOT: vgiw.compute
// CHECK: vgiw.store %[[B]] to %[[A]]
vgiw.kernel @strides graph consumes "s" launch range parameters [#vgiw.binding<capture, 5>, #vgiw.binding<capture, 6>] {
  %t = vgiw.initiate
  %n = vgiw.parameter 0 : i32
  %two = vgiw.constant 2 : i64
  %w = vgiw.compute sext %n : (i32) -> i64
  %s = vgiw.compute shl %w, %two : (i64, i64) -> i64
  %a = vgiw.compute add %t, %s : (i64, i64) -> i64
  %b = vgiw.compute add %a, %s : (i64, i64) -> i64
  %done = vgiw.store %b to %a : i64
  vgiw.exit after %done : !vgiw.token
}

// An offset is a sum, equal bindings are one, and what is not 64 bits wide is computed as well.
// CHECK-LABEL: vgiw.kernel @offsets
// CHECK-SAME: [#vgiw.binding<argument>, #vgiw.binding<computed by "add.i64" [0 : index, 8]>,
// CHECK-SAME: #vgiw.binding<computed by "mul.i64" [1 : index, 3]>,
// CHECK-SAME: #vgiw.binding<computed by "fmul.f32" [0 : index, 5.000000e-01 : f32]>]
// CHECK-NOT: vgiw.compute
// CHECK: vgiw.exit
vgiw.kernel @offsets graph parameters [#vgiw.binding<argument>] {
  %t = vgiw.initiate
  %p = vgiw.parameter 0 + 8 : i64
  %f = vgiw.parameter 0 : f32
  %three = vgiw.constant 3 : i64
  %half = vgiw.constant 0.5 : f32
  %a = vgiw.compute mul %p, %three : (i64, i64) -> i64
  %b = vgiw.compute mul %p, %three : (i64, i64) -> i64
  %h = vgiw.compute fmul %f, %half : (f32, f32) -> f32
  %first = vgiw.store %h to %a after %t : i64 : f32
  %done = vgiw.store %h to %b after %first : !vgiw.token : f32
  vgiw.exit after %done : !vgiw.token
}

// So the strides of a grid's neighbours: what threads share stands together.
// CHECK-LABEL: vgiw.kernel @neighbours
// CHECK-SAME: [#vgiw.binding<argument>, #vgiw.binding<argument, 1>,
// CHECK-SAME: #vgiw.binding<computed by "sub.i64" [0, 1 : index]>,
// CHECK-SAME: #vgiw.binding<computed by "mad.i64" [2 : index, 4, 0 : index]>,
// CHECK-SAME: #vgiw.binding<computed by "mul.i64" [1 : index, 4]>]
// CHECK: %[[T:.*]] = vgiw.initiate
// CHECK: %[[P:.*]] = vgiw.parameter 0 : i64
// CHECK: %[[FOUR:.*]] = vgiw.constant 4 : i64
// CHECK: %[[OWN:.*]] = vgiw.compute mad %[[T]], %[[FOUR]], %[[P]]
// CHECK: %[[ABOVE:.*]] = vgiw.parameter 3 : i64
// CHECK: %[[NORTH:.*]] = vgiw.compute mad %[[T]], %[[FOUR]], %[[ABOVE]]
// CHECK: %[[BELOW:.*]] = vgiw.parameter 4 : i64
// CHECK: %[[SOUTH:.*]] = vgiw.compute add %[[OWN]], %[[BELOW]]
// CHECK: vgiw.store %[[NORTH]] to %[[SOUTH]]
vgiw.kernel @neighbours graph parameters [#vgiw.binding<argument>, #vgiw.binding<argument, 1>] {
  %t = vgiw.initiate
  %p = vgiw.parameter 0 : i64
  %n = vgiw.parameter 1 : i64
  %four = vgiw.constant 4 : i64
  %own = vgiw.compute mad %t, %four, %p : (i64, i64, i64) -> i64
  %before = vgiw.compute sub %t, %n : (i64, i64) -> i64
  %north = vgiw.compute mad %before, %four, %p : (i64, i64, i64) -> i64
  %south = vgiw.compute mad %n, %four, %own : (i64, i64, i64) -> i64
  %done = vgiw.store %north to %south : i64
  vgiw.exit after %done : !vgiw.token
}

// The sum of two constants needs no parameter.
// CHECK-LABEL: vgiw.kernel @constants
// CHECK-SAME: parameters [] {
// CHECK: %[[TEN:.*]] = vgiw.constant 10 : i64
// CHECK: %[[B:.*]] = vgiw.compute add %{{.*}}, %[[TEN]]
// CHECK: vgiw.store %[[B]]
vgiw.kernel @constants graph parameters [] {
  %t = vgiw.initiate
  %four = vgiw.constant 4 : i64
  %six = vgiw.constant 6 : i64
  %a = vgiw.compute add %t, %four : (i64, i64) -> i64
  %b = vgiw.compute add %a, %six : (i64, i64) -> i64
  %done = vgiw.store %b to %a : i64
  vgiw.exit after %done : !vgiw.token
}

// The linker alone knows a symbol's address, and a division may be one that no thread does.
// CHECK-LABEL: vgiw.kernel @left
// CHECK-SAME: parameters [#vgiw.binding<argument>] {
// CHECK-COUNT-2: vgiw.compute
vgiw.kernel @left graph parameters [#vgiw.binding<argument>] {
  %t = vgiw.initiate
  %p = vgiw.parameter 0 : i64
  %s = vgiw.symbol "table"
  %ten = vgiw.constant 10 : i64
  %a = vgiw.compute add %s, %p : (i64, i64) -> i64
  %b = vgiw.compute sdiv %ten, %p : (i64, i64) -> i64
  %done = vgiw.store %b to %a after %t : i64 : i64
  vgiw.exit after %done : !vgiw.token
}
