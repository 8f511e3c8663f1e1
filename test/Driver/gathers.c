// gathers.c - AVX2 loads from many places where the processor does so fast.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -w -O2 -march=haswell -mtune=skylake -fchan-lanes=8 -S %s \
// RUN:   -o - | FileCheck %s --check-prefix=FAST
// RUN: cilk2chan -w -O2 -march=skylake -fchan-lanes=8 -S %s -o - \
// RUN:   | FileCheck %s --check-prefix=FAST
// RUN: cilk2chan -w -O2 -march=x86-64-v3 -fchan-lanes=8 -S %s -o - \
// RUN:   | FileCheck %s --check-prefix=SLOW
// RUN: cilk2chan -w -O2 -march=x86-64-v4 -fchan-lanes=8 -S %s -o - \
// RUN:   | FileCheck %s --check-prefix=FAST
// FAST: vpgatherqq
// SLOW-NOT: vpgather

struct node { struct node *left, *right; long value; };

long sum(const struct node *n) {
  if (!n)
    return 0;
  long a = cilk_spawn sum(n->left), b = sum(n->right);
  cilk_sync;
  return a + b + n->value;
}
