//===- gaussian.c - Gaussian elimination -----------------------------*- C
//-*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each column `Fan1` computes the multipliers of the rows below the
// diagonal, `Fan2` subtracts; then the system is solved from the last row back.
// Each solution is checked by the serial one and in its equation.
//
//===----------------------------------------------------------------------===//
// ARGS: quick
// LIBS: -lm
// SANITIZE: yes

#include "rodinia.h"

/* Where the factor of a row is. */
static inline long factor_of(int size, int row, int column) {
#ifdef RODINIA_LAYOUT
  return (long)row * size + column;
#else
  (void)size, (void)column;
  return row;
#endif
}

static void Fan1(const float *a, float *factors, int size, int column) {
  cilk_for (int row = column + 1; row < size; ++row)
    factors[factor_of(size, row, column)] =
        a[(long)row * size + column] / a[(long)column * size + column];
}

/* A thread an element; those of the first column update the right-hand side. */
static void Fan2(float *a, float *b, const float *factors, int size,
                 int column) {
  int width = size - column, height = width - 1;
  cilk_for (int thread = 0; thread < width * height; ++thread) {
#ifdef RODINIA_LAYOUT
    int row = column + 1 + thread % height, x = column + thread / height;
#else
    int row = column + 1 + thread / width, x = column + thread % width;
#endif
    float factor = factors[factor_of(size, row, column)];
    a[(long)row * size + x] -= factor * a[(long)column * size + x];
    if (x == column)
      b[row] -= factor * b[column];
  }
}

static void solve_back(const float *a, const float *b, float *x, int size) {
  for (int i = size - 1; i >= 0; --i) {
    x[i] = b[i];
    for (int j = i + 1; j < size; ++j)
      x[i] -= a[(long)i * size + j] * x[j];
    x[i] /= a[(long)i * size + i];
  }
}

/* In double precision, by Gauss and Jordan: the matrix becomes diagonal. */
static void reference(const float *a, const float *b, float *x, int size) {
  int width = size + 1;
  double *rows = allocate((size_t)size * width, sizeof(double));
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < size; ++j)
      rows[(long)i * width + j] = a[(long)i * size + j];
    rows[(long)i * width + size] = b[i];
  }
  for (int k = 0; k < size; ++k)
    for (int i = 0; i < size; ++i) {
      double factor = rows[(long)i * width + k] / rows[(long)k * width + k];
      for (int j = k; j < width && i != k; ++j)
        rows[(long)i * width + j] -= factor * rows[(long)k * width + j];
    }
  for (int i = 0; i < size; ++i)
    x[i] = (float)(rows[(long)i * width + size] / rows[(long)i * width + i]);
  free(rows);
}

int main(int argc, char **argv) {
  int size = problem_size(argc, argv, 208, 48, 1, 8192);
  size_t count = (size_t)size * size;
  float *a = random_floats(1, count, -1, 1), *b = random_floats(2, size, -1, 1);
  for (int i = 0; i < size; ++i)
    a[(long)i * size + i] += (float)size;
  float *x = allocate(size, sizeof(float)),
        *factors = allocate(factor_of(size, size, 0), sizeof(float));
  float *expected = allocate(size, sizeof(float));
  reference(a, b, expected, size);
  for (int column = 0; column < size - 1; ++column) {
    Fan1(a, factors, size, column);
    Fan2(a, b, factors, size, column);
  }
  solve_back(a, b, x, size);
  check_floats("x", x, expected, size, 1e-5f);
  uint64_t sum = checksum(a, count * sizeof(float));
  free(a), free(b), free(x), free(factors), free(expected);
  return report("gaussian", size, sum);
}
