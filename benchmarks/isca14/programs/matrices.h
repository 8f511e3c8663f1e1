//===- matrices.h - The input and the check of products -----------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Square matrices of floats, row by row. Elements are whole numbers from -8 to
// 8. So all sums are exact, in whatever order tasks add: for n <= 4096 they are
// below 2^24. Both programs that multiply matrices do this:
//
//   float *a = make_matrix(n, 1), *b = make_matrix(n, 2), *c = make_matrix(n, 0);
//   multiply ...
//   return check_product("strassen", a, b, c, n);
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_ISCA14_PROGRAMS_MATRICES_H
#define BENCHMARKS_ISCA14_PROGRAMS_MATRICES_H

#include "isca14.h"

enum { MostRows = 4096 };

/// A matrix of n x n elements: zeros if `seed` is 0.
static inline float *make_matrix(int n, unsigned seed) {
  size_t count = (size_t)n * (size_t)n;
  float *elements = allocate(count, sizeof *elements);
  for (size_t i = 0; seed && i < count; ++i)
    elements[i] = (float)((int)(scramble(i ^ ((uint64_t)seed << 40)) % 17) - 8);
  return elements;
}

/// Adds to what other tasks add to as well: in the languages of GPUs, and in
/// Clang, one atomic operation.
static inline void add_atomically(float *sum, float value) {
#if defined(__clang__)
  __atomic_fetch_add(sum, value, __ATOMIC_RELAXED);
#else
  float old = *sum, next;
  do
    next = old + value;
  while (!__atomic_compare_exchange(sum, &old, &next, 0, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED));
#endif
}

/// Ends the program unless c is a * b; frees all three. Prints the sum of c's
/// diagonal, and the last line. Returns the exit status.
static inline int check_product(const char *name, float *a, float *b, float *c,
                                int n) {
  int *row = allocate((size_t)n, sizeof *row);
  long trace = 0;
  for (int i = 0; i < n; ++i) {
    memset(row, 0, (size_t)n * sizeof *row);
    for (int k = 0; k < n; ++k) {
      int factor = (int)a[(size_t)i * n + k];
      for (int j = 0; j < n; ++j)
        row[j] += factor * (int)b[(size_t)k * n + j];
    }
    for (int j = 0; j < n; ++j)
      if (c[(size_t)i * n + j] != (float)row[j])
        WRONG("%s %d: element (%d, %d) is %g, not %d", name, n, i, j,
              (double)c[(size_t)i * n + j], row[j]);
    trace += row[i];
  }
  printf("%s %d: trace %ld\n", name, n, trace);
  free(a);
  free(b);
  free(c);
  free(row);
  return report_ok();
}

#endif
