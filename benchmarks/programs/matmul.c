//===- matmul.c - Product of matrices by halves -------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Eight products of quadrants, in two rounds of four, as two go to each
// quadrant of the result. Small ones are serial. The size is the leaf's times a
// power of two.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../../test/Support/check.h"
#include "../../test/Support/stopwatch.h"
#include <cilk/cilk.h>

enum { Leaf = 64 };

/* From row to row: a power of two would keep putting them into the same places
   of a cache. */
static long side;

/* c += a * b */
static void multiply_serially(double *c, const double *a, const double *b,
                              long n) {
  for (long i = 0; i < n; ++i)
    for (long k = 0; k < n; ++k)
      for (long j = 0; j < n; ++j)
        c[i * side + j] += a[i * side + k] * b[k * side + j];
}

static void multiply(double *c, const double *a, const double *b, long n) {
  if (n <= Leaf) {
    multiply_serially(c, a, b, n);
    return;
  }
  long h = n / 2, right = h, down = h * side;
  cilk_spawn multiply(c, a, b, h);
  cilk_spawn multiply(c + right, a, b + right, h);
  cilk_spawn multiply(c + down, a + down, b, h);
  multiply(c + down + right, a + down, b + right, h);
  cilk_sync;
  cilk_spawn multiply(c, a + right, b + down, h);
  cilk_spawn multiply(c + right, a + right, b + down + right, h);
  cilk_spawn multiply(c + down, a + down + right, b + down, h);
  multiply(c + down + right, a + down + right, b + down + right, h);
  cilk_sync;
}

/* Small whole numbers, so that sums are exact in any order; zeros for none. */
static double *make_matrix(long n, unsigned values) {
  double *m = (double *)malloc(sizeof *m * n * side);
  CHECK(m);
  for (long i = 0; i < n * side; ++i)
    m[i] = values ? (double)(scramble(i + values) % 17) - 8 : 0;
  return m;
}

int main(int argc, char **argv) {
  long n = argument(argc, argv, 1, 128);
  side = n + 8;
  double *a = make_matrix(n, 1), *b = make_matrix(n, 2), *c = make_matrix(n, 0);
  stopwatch watch = stopwatch_start();
  multiply(c, a, b, n);
  stopwatch_stop(watch);
  printf("matmul %ld: checksum %016llx\n", n,
         (unsigned long long)checksum(c, sizeof *c * n * side));
  free(a);
  free(b);
  free(c);
  return 0;
}
