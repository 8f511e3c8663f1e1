// loop-pointers.c - In a loop of one block, pointers that grow take fewer nodes than products, and one control variable is enough.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan --target=vgiw --emit=vgiw -O2 %s | FileCheck %s

// CHECK-LABEL: vgiw.kernel @__cilk_range.0.0
// CHECK: ^bb2:
// CHECK-NOT: vgiw.compute {{mul|mad}}
// CHECK: vgiw.load
// CHECK-NOT: vgiw.compute {{mul|mad}}
// CHECK: vgiw.cond_branch {{.*}}^bb3, ^bb2
// CHECK-LABEL: launch ranges

void nearest(const float *points, const float *centres, int *membership, int count) {
  cilk_for (int p = 0; p < count; ++p) {
    float best = 1e30f;
    int nearest = 0;
    for (int c = 0; c < 5; ++c) {
      float distance = 0;
      for (int f = 0; f < 34; ++f) {
        float d = points[(long)f * count + p] - centres[c * 34 + f];
        distance += d * d;
      }
      if (distance < best) {
        best = distance;
        nearest = c;
      }
    }
    membership[p] = nearest;
  }
}
