//===- math-errno.c - Square roots that set errno -----------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a unit of a machine computes sets errno all the same where there is no
// root.
//
//===----------------------------------------------------------------------===//
// CFLAGS: -fmath-errno
// LIBS: -lm
// VGIW-SAMPLE: yes

#include "../Support/check.h"
#include <errno.h>
#include <math.h>

static int root(double x, double *result, float *small) {
  errno = 0;
  *result = sqrt(x);
  int first = errno;
  errno = 0;
  *small = sqrtf((float)x);
  CHECK(errno == first);
  return first;
}

int main(void) {
  enum { Count = 40 };
  double roots[Count], result;
  float small[Count], other;
  cilk_for (int i = 0; i < Count; i++) {
    roots[i] = sqrt(i - 10);
    small[i] = sqrtf(i - 10);
  }
  for (int i = 0; i < Count; i++)
    CHECK(i < 10 ? isnan(roots[i]) && isnan(small[i])
                 : roots[i] == sqrt(i - 10) && small[i] == sqrtf(i - 10));
  // One after another: the threads of a machine share errno.
  double cases[] = {4, -4, 0, -0.0, INFINITY, -INFINITY, NAN};
  for (int i = 0; i < 7; i++) {
    int error = cilk_spawn root(cases[i], &result, &other);
    cilk_sync;
    CHECK_EQUAL(error, cases[i] < 0 ? EDOM : 0);
    CHECK(isnan(result) == !(cases[i] >= 0) && isnan(other) == isnan(result));
  }
  printf("%g\n", roots[Count - 1]);
  return 0;
}
