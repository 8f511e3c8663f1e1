//===- matmul-rectangular.c - Product of odd-sized matrices -------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Halves the longest of the three dimensions until all are short. Halves of the
// inner dimension add to the same entries and come one after the other. The
// arithmetic is modulo 2^64, so that both sides of (a * b) * x = a * (b * x)
// are exact; that is the check (Freivalds), with several x.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// BENCH-ARGS: 500 500 500
// VGIW-ARGS: 33 40 21

#include "../Support/check.h"
#include "../Support/stopwatch.h"
#include <cilk/cilk.h>

enum { Leaf = 9, Trials = 5 };

static int a_stride, b_stride, c_stride;

/* c += a * b, where a is rows x inner and b is inner x columns. */
static void multiply_add(uint64_t *c, const uint64_t *a, const uint64_t *b,
                         int rows, int inner, int columns) {
  if (rows > Leaf && rows >= inner && rows >= columns) {
    int half = rows / 2;
    cilk_spawn multiply_add(c, a, b, half, inner, columns);
    cilk_spawn multiply_add(c + (long)half * c_stride,
                            a + (long)half * a_stride, b, rows - half, inner,
                            columns);
  } else if (columns > Leaf && columns >= inner) {
    int half = columns / 2;
    cilk_spawn multiply_add(c, a, b, rows, inner, half);
    cilk_spawn multiply_add(c + half, a, b + half, rows, inner, columns - half);
  } else if (inner > Leaf) {
    int half = inner / 2;
    cilk_spawn multiply_add(c, a, b, rows, half, columns);
    cilk_sync;
    cilk_spawn multiply_add(c, a + half, b + (long)half * b_stride, rows,
                            inner - half, columns);
  } else {
    for (int i = 0; i < rows; ++i)
      for (int k = 0; k < inner; ++k)
        for (int j = 0; j < columns; ++j)
          c[(long)i * c_stride + j] +=
              a[(long)i * a_stride + k] * b[(long)k * b_stride + j];
  }
}

static uint64_t *matrix(int rows, int columns) {
  uint64_t *m = calloc((size_t)rows * columns, sizeof *m);
  CHECK(m);
  return m;
}

/* out = m * x */
static void apply(uint64_t *out, const uint64_t *m, const uint64_t *x, int rows,
                  int columns) {
  for (int i = 0; i < rows; ++i) {
    out[i] = 0;
    for (int j = 0; j < columns; ++j)
      out[i] += m[(long)i * columns + j] * x[j];
  }
}

int main(int argc, char **argv) {
  int rows = (int)argument(argc, argv, 1, 97);
  int inner = (int)argument(argc, argv, 2, 203);
  int columns = (int)argument(argc, argv, 3, 61);
  uint64_t *a = matrix(rows, inner), *b = matrix(inner, columns);
  uint64_t *c = matrix(rows, columns);
  for (long i = 0; i < (long)rows * inner; ++i)
    a[i] = scramble(i);
  for (long i = 0; i < (long)inner * columns; ++i)
    b[i] = scramble(i ^ 0x5555555555);
  a_stride = inner, b_stride = c_stride = columns;
  stopwatch watch = stopwatch_start();
  multiply_add(c, a, b, rows, inner, columns);
  stopwatch_stop(watch);

  uint64_t *x = matrix(columns, 1), *bx = matrix(inner, 1);
  uint64_t *abx = matrix(rows, 1), *cx = matrix(rows, 1);
  for (int trial = 0; trial < Trials; ++trial) {
    for (int j = 0; j < columns; ++j)
      x[j] = scramble(~(uint64_t)(trial * columns + j));
    apply(bx, b, x, inner, columns);
    apply(abx, a, bx, rows, inner);
    apply(cx, c, x, rows, columns);
    for (int i = 0; i < rows; ++i)
      CHECK_EQUAL(cx[i], abx[i]);
  }
  printf("matmul %d x %d x %d: checksum %016llx\n", rows, inner, columns,
         (unsigned long long)checksum(c, sizeof *c * rows * columns));
  free(a), free(b), free(c);
  free(x), free(bx), free(abx), free(cx);
  return 0;
}
