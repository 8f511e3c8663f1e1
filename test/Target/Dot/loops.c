/*===- loops.c - What ranges of loops are called ---------------------------===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
// RUN: cilk2chan --emit=dot %s -o - | FileCheck %s
// RUN: cilk2chan -O2 -fno-chan-below-grain --emit=dot %s -o - | FileCheck %s

struct point {
  long x, y, z;
};
int outside(struct point);

void scale(double *data, int n, double factor, struct point origin) {
  cilk_for (int i = 0; i < n; i++)
    data[i] *= factor;
  outside(origin);
}

// CHECK: (data: ptr, n: i32, factor: f64, origin: struct.point)",
// CHECK: "stack __cilk_range.0.entry" {{.*}}
// CHECK-NEXT: (begin: i64, end: i64, grain: i64, {{.*}}data: ptr, factor: f64)",
// CHECK: label="__cilk_range.0.0
// CHECK-NEXT: {{lines? 1[45]}}
