// fused.c - a * b + c is rounded as on the host: once if the processor has an instruction for it.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan --target=vgiw --emit=vgiw -O2 -mfma %s | FileCheck %s --check-prefix=ONCE
// RUN: cilk2chan --target=vgiw --emit=vgiw -O2 %s | FileCheck %s --check-prefix=TWICE
// RUN: cilk2chan --target=vgiw --emit=vgiw -O2 -mfma -ffp-contract=off %s | FileCheck %s --check-prefix=TWICE

// ONCE-LABEL: vgiw.kernel @__cilk_range.0.0
// ONCE-NOT: vgiw.compute {{fadd|fmul}}
// ONCE: vgiw.compute fma
// ONCE-NOT: vgiw.compute {{fadd|fmul}}
// ONCE-LABEL: launch ranges

// TWICE-LABEL: vgiw.kernel @__cilk_range.0.0
// TWICE-NOT: vgiw.compute fma
// TWICE: vgiw.compute fmul
// TWICE: vgiw.compute fadd
// TWICE-LABEL: launch ranges

void scale(float *a, int n, float f) {
  cilk_for (int i = 0; i < n; i++)
    a[i] = a[i] * f + 1;
}
