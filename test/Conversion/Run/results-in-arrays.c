// Results in arrays, where all that can be is in lanes, and no clone takes what
// is small.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Lanes have their arrays element by element, and a result goes to the lanes'
// element together.
// RUN: cilk2chan -w -O2 -march=x86-64-v3 -fno-chan-serial-clones -fchan-batch -fchan-lanes=4 --emit=mlir %S/../../Language/results-in-arrays.c | FileCheck %s
// CHECK-LABEL: chan.kernel @chars.batch.0
// CHECK: %[[ARRAY:.*]] = chan.local 0 size 5
// CHECK: %[[AT:.*]] = llvm.getelementptr inbounds %[[ARRAY]][%{{.*}}] : {{.*}}, !llvm.array<5 x array<4 x i8>>
// CHECK: chan.enq {{.*}} to %[[AT]]
// CHECK-LABEL: chan.kernel @floats.batch.0
// CHECK: !llvm.array<5 x array<4 x f32>>
// CHECK: chan.enq {{.*}} to %

// RUN: cilk2chan -w -O2 -fcilk-serialize %S/../../Language/results-in-arrays.c -o %t
// RUN: %t > %t.expected
// RUN: cilk2chan -w -O2 -march=x86-64 -fno-chan-serial-clones -fchan-batch -fchan-lanes=4 %S/../../Language/results-in-arrays.c -o %t
// RUN: CHAN_WORKERS=1 %t | diff - %t.expected
// RUN: cilk2chan -w -O2 -fno-chan-serial-clones -fchan-batch -fchan-lanes=8 %S/../../Language/results-in-arrays.c -o %t
// RUN: CHAN_WORKERS=1 %t | diff - %t.expected
// RUN: CHAN_WORKERS=2 %t | diff - %t.expected
