// contraction.c - a * b + c is rounded alike in batches, kernels and clones.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Where no processor is named there are versions for some that would round once
// and for some that round twice; the serial elision, and so all of them, round
// twice. Where one is named, it decides.
// RUN: for flags in "-O2" "-O2 -march=x86-64-v2" "-O2 -march=native" "-O1 -march=native" "-O2 -ffp-contract=off"; do \
// RUN:   cilk2chan -fcilk-serialize $flags %s -o %t.serial && %t.serial > %t.want || exit 1; \
// RUN:   for form in "" -fno-chan-batch "-fno-chan-batch -fno-chan-serial-clones" -fchan-lanes=2 "-fchan-lanes=32 -fno-chan-serial-clones"; do \
// RUN:     cilk2chan $flags $form %s -o %t || exit 1; \
// RUN:     for workers in 1 2; do CHAN_WORKERS=$workers %t | diff %t.want - || exit 1; done; \
// RUN:   done; \
// RUN: done

// Both occur.
// RUN: cilk2chan -O2 --emit=mlir %s | FileCheck --check-prefix=TWICE %s
// RUN: cilk2chan -O2 -march=x86-64-v3 --emit=mlir %s | FileCheck --check-prefix=ONCE %s
// TWICE-NOT: fmuladd
// ONCE: fmuladd

#include <stdio.h>

static double mix(int n, double a, double b) {
  double c = a * b + 0.1;
  if (n < 2)
    return c * a + b;
  double x = cilk_spawn mix(n - 1, c * 0.37 + b * 0.51, a * 0.53);
  double y = cilk_spawn mix(n - 2, b * 0.31 + c * 0.23, c * 0.43 - a * 0.37);
  cilk_sync;
  return x * 0.57 + y * (a + 0.7);
}

static float mixFloats(int n, float a, float b) {
  if (n < 2)
    return a * b + a;
  float x = cilk_spawn mixFloats(n - 1, a * 0.7f + b * 0.2f, b * a - 0.3f);
  float y = cilk_spawn mixFloats(n - 3, b * 0.6f + a, a * 0.3f + 0.1f);
  cilk_sync;
  return x * 0.57f + y;
}

int main(void) {
  // Few and many: in clones and in batches, one after the other.
  for (int n = 1; n < 22; n++)
    for (int again = 0; again < 3; again++)
      printf("%a %a\n", mix(n, 0.3 + n * 0.01, 0.9),
             mixFloats(n, 0.3f + n * 0.01f, 0.9f));
}
