//===- strassen.c - ISCA'14: product of matrices by halves --------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// c += a * b by the products of quarters:
//
//   | c00 c01 |    | a00 a01 |   | b00 b01 |     c00 += a00 * b00 + a01 * b10
//   | c10 c11 | += | a10 a11 | * | b10 b11 |     and so on: eight products
//
// Eight tasks do one product each, down to matrices of 16 x 16 elements. These
// are multiplied, and added to c atomically, as two tasks of each level add to
// the same quarter. So nothing is left to do behind a sync: one kernel node.
//
// The paper calls the program Strassen's, whose method needs seven products. But
// Table 3 has 512 x 512 elements and 587 wavefronts. That is the number for
// eight: 1, 8, 64, 512, 4096 and 32768 tasks in wavefronts of 64 threads are
// 1 + 1 + 1 + 8 + 64 + 512. And for seven, sums of quarters would need memory,
// and kernel nodes of their own.
//
//   $ strassen 64
//   strassen 64: trace 1286
//   ok
//
//===----------------------------------------------------------------------===//

#include "matrices.h"

enum { Base = 16 };

/* Elements from one row to the next in all matrices: the same for all tasks. */
static int side;

// count from here
static void multiply_serially(const float *a, const float *b, float *c,
                              int stride) {
  for (int i = 0; i < Base; ++i)
    for (int j = 0; j < Base; ++j) {
      float sum = 0;
      for (int k = 0; k < Base; ++k)
        sum += a[i * stride + k] * b[k * stride + j];
      add_atomically(&c[i * stride + j], sum);
    }
}

static void multiply(const float *a, const float *b, float *c, int n) {
  if (n == Base) {
    multiply_serially(a, b, c, side);
    return;
  }
  int half = n / 2, down = half * side;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      for (int k = 0; k < 2; ++k)
        cilk_spawn multiply(a + i * down + k * half, b + k * down + j * half,
                            c + i * down + j * half, half);
}
// to here

int main(int argc, char **argv) {
  int n = size_argument(argc, argv, 1, 512, Base, MostRows);
  if (n & (n - 1)) {
    fprintf(stderr, "%s: %d is not a power of two\n", argv[0], n);
    return 2;
  }
  side = n;
  float *a = make_matrix(n, 1), *b = make_matrix(n, 2), *c = make_matrix(n, 0);
  multiply(a, b, c, n);
  return check_product("strassen", a, b, c, n);
}
