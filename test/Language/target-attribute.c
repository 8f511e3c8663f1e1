//===- target-attribute.c - Functions for some processors ----------*- C
//-*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A spawning function with the attribute 'target' passes wide vectors to its
// children and gets them back as it would in ordinary calls.
//
//===----------------------------------------------------------------------===//

#include "../Support/check.h"
#include <cilk/cilk.h>

typedef float wide __attribute__((vector_size(32)));
#define AVX __attribute__((target("avx")))

AVX static wide twice(wide v) { return v + v; }
static wide (*volatile pointer)(wide) = twice;

AVX static float sum(float x) {
  wide a = {x, 1, 2, 3, 4, 5, 6, 7}, b, c = a;
  b = cilk_spawn twice(a);
  c *= cilk_spawn pointer(a);
  cilk_spawn { a = a - 1; }
  cilk_sync;
  return a[0] + b[0] + c[0] + b[7] + c[7];
}

int main(void) {
  if (!__builtin_cpu_supports("avx")) {
    printf("no AVX\n");
    return 0;
  }
  CHECK(sum(3) == 2 + 6 + 18 + 14 + 98);
  printf("%g\n", sum(3));
  return 0;
}
