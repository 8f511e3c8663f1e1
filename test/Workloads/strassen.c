//===- strassen.c - ISCA'14 section 7.1: Strassen's product -------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Seven spawned products of quadrant sums, each with malloc'ed temporaries,
// then four spawned combinations. Entries are small integers, so every product
// is exact and is compared with the schoolbook one.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// VGIW-ARGS: 32
// VGIW-SAMPLE: yes

#include "../Support/check.h"
#include "../Support/stopwatch.h"
#include <cilk/cilk.h>

/* Matrices of this size are multiplied without spawns. */
static int leaf;

typedef struct {
  double *at;
  int stride;
} matrix;

static matrix quadrant(matrix m, int half, int row, int column) {
  m.at += (long)row * half * m.stride + column * half;
  return m;
}

static matrix fresh(int n) {
  matrix m = {(double *)malloc(sizeof(double) * n * n), n};
  CHECK(m.at);
  return m;
}

static void multiply_small(int n, matrix a, matrix b, matrix c) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int k = 0; k < n; ++k)
        sum += a.at[i * a.stride + k] * b.at[k * b.stride + j];
      c.at[i * c.stride + j] = sum;
    }
}

/* The matrix x + sign * y; not computed, just x, when the sign is zero. */
static matrix combination(int n, matrix x, double sign, matrix y) {
  matrix sum = fresh(n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double value = x.at[i * x.stride + j];
      if (sign != 0)
        value += sign * y.at[i * y.stride + j];
      sum.at[i * n + j] = value;
    }
  return sum;
}

static void add_four(int n, matrix out, matrix p, matrix q, matrix r, matrix s,
                     const double *signs) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      out.at[i * out.stride + j] =
          signs[0] * p.at[i * n + j] + signs[1] * q.at[i * n + j] +
          signs[2] * r.at[i * n + j] + signs[3] * s.at[i * n + j];
}

static matrix multiply(int n, matrix a, matrix b);

/* (a1 + sa * a2) * (b1 + sb * b2) */
static matrix product(int n, matrix a1, double sa, matrix a2, matrix b1,
                      double sb, matrix b2) {
  matrix left = combination(n, a1, sa, a2);
  matrix right = combination(n, b1, sb, b2);
  matrix result = multiply(n, left, right);
  free(left.at);
  free(right.at);
  return result;
}

static matrix multiply(int n, matrix a, matrix b) {
  matrix c = fresh(n);
  if (n <= leaf) {
    multiply_small(n, a, b, c);
    return c;
  }
  int h = n / 2;
  matrix a11 = quadrant(a, h, 0, 0), a12 = quadrant(a, h, 0, 1);
  matrix a21 = quadrant(a, h, 1, 0), a22 = quadrant(a, h, 1, 1);
  matrix b11 = quadrant(b, h, 0, 0), b12 = quadrant(b, h, 0, 1);
  matrix b21 = quadrant(b, h, 1, 0), b22 = quadrant(b, h, 1, 1);
  matrix m[7];
  m[0] = cilk_spawn product(h, a11, 1, a22, b11, 1, b22);
  m[1] = cilk_spawn product(h, a21, 1, a22, b11, 0, b11);
  m[2] = cilk_spawn product(h, a11, 0, a11, b12, -1, b22);
  m[3] = cilk_spawn product(h, a22, 0, a22, b21, -1, b11);
  m[4] = cilk_spawn product(h, a11, 1, a12, b22, 0, b22);
  m[5] = cilk_spawn product(h, a21, -1, a11, b11, 1, b12);
  m[6] = cilk_spawn product(h, a12, -1, a22, b21, 1, b22);
  cilk_sync;

  static const double upper_left[] = {1, 1, -1, 1}, sum[] = {1, 1, 0, 0},
                      lower_right[] = {1, -1, 1, 1};
  cilk_spawn add_four(h, quadrant(c, h, 0, 0), m[0], m[3], m[4], m[6],
                      upper_left);
  cilk_spawn add_four(h, quadrant(c, h, 0, 1), m[2], m[4], m[0], m[0], sum);
  cilk_spawn add_four(h, quadrant(c, h, 1, 0), m[1], m[3], m[0], m[0], sum);
  cilk_spawn add_four(h, quadrant(c, h, 1, 1), m[0], m[1], m[2], m[5],
                      lower_right);
  cilk_sync;
  for (int i = 0; i < 7; ++i)
    free(m[i].at);
  return c;
}

/* Small whole numbers. */
static void fill(matrix a, matrix b, int n) {
  for (int i = 0; i < n * n; ++i) {
    a.at[i] = (double)(scramble(i) % 17) - 8;
    b.at[i] = (double)(scramble(i + n * n) % 17) - 8;
  }
}

static void report(int n, matrix a, matrix b, matrix c) {
  double trace = 0;
  /* Large matrices: some rows only, for this check is not parallel. */
  for (int i = 0; i < n; i += 1 + n / 128)
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int k = 0; k < n; ++k)
        sum += a.at[i * n + k] * b.at[k * n + j];
      CHECK(c.at[i * n + j] == sum);
    }
  for (int i = 0; i < n; ++i)
    trace += c.at[i * n + i];
  printf("strassen %d: trace %.0f\n", n, trace);
}

int main(int argc, char **argv) {
  int n = (int)argument(argc, argv, 1, 64);
  leaf = (int)argument(argc, argv, 2, 8);
  CHECK(n >= 1 && (n & (n - 1)) == 0);
  matrix a = fresh(n), b = fresh(n);
  fill(a, b, n);
  stopwatch watch = stopwatch_start();
  matrix c = multiply(n, a, b);
  stopwatch_stop(watch);
  report(n, a, b, c);
  free(a.at);
  free(b.at);
  free(c.at);
  return 0;
}
