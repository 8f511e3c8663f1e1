//===- lu.c - LU decomposition, recursive and in place ------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each step splits the matrix into quadrants: factor one, solve two triangular
// systems beside each other, update the last, factor it. Solves split until
// only the update is left, which splits in two directions. No pivoting: the
// matrix is dominated by its diagonal. The factors are multiplied again.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// LIBS: -lm
// VGIW-ARGS: 40
// VGIW-SAMPLE: yes

#include "../Support/check.h"
#include "../Support/stopwatch.h"
#include <cilk/cilk.h>
#include <math.h>

enum { Leaf = 12 };

/* A view into a matrix; rows are `stride` numbers apart. */
typedef struct {
  double *at;
  int rows, columns, stride;
} view;

static view part(view m, int row, int column, int rows, int columns) {
  CHECK(row + rows <= m.rows && column + columns <= m.columns);
  view v = {m.at + (long)row * m.stride + column, rows, columns, m.stride};
  return v;
}

static double *entry(view m, int row, int column) {
  return m.at + (long)row * m.stride + column;
}

/* c -= a * b */
static void update_serially(view c, view a, view b) {
  for (int i = 0; i < c.rows; ++i)
    for (int k = 0; k < a.columns; ++k)
      for (int j = 0; j < c.columns; ++j)
        *entry(c, i, j) -= *entry(a, i, k) * *entry(b, k, j);
}

static void update(view c, view a, view b) {
  if (c.rows > Leaf) {
    int half = c.rows / 2, rest = c.rows - half;
    cilk_spawn update(part(c, 0, 0, half, c.columns),
                      part(a, 0, 0, half, a.columns), b);
    update(part(c, half, 0, rest, c.columns), part(a, half, 0, rest, a.columns),
           b);
    return;
  }
  if (c.columns > Leaf) {
    int half = c.columns / 2, rest = c.columns - half;
    cilk_spawn update(part(c, 0, 0, c.rows, half), a,
                      part(b, 0, 0, b.rows, half));
    update(part(c, 0, half, c.rows, rest), a, part(b, 0, half, b.rows, rest));
    return;
  }
  update_serially(c, a, b);
}

/* Solves lower * x = b in the place of b; the diagonal of lower is all ones. */
static void solve_lower_serially(view b, view lower) {
  for (int i = 1; i < lower.rows; ++i)
    for (int k = 0; k < i; ++k)
      for (int j = 0; j < b.columns; ++j)
        *entry(b, i, j) -= *entry(lower, i, k) * *entry(b, k, j);
}

static void solve_lower(view b, view lower) {
  int n = lower.rows;
  if (b.columns > Leaf) {
    int half = b.columns / 2;
    cilk_spawn solve_lower(part(b, 0, 0, n, half), lower);
    solve_lower(part(b, 0, half, n, b.columns - half), lower);
    cilk_sync;
  } else if (n > Leaf) {
    int half = n / 2, rest = n - half;
    view top = part(b, 0, 0, half, b.columns);
    view bottom = part(b, half, 0, rest, b.columns);
    solve_lower(top, part(lower, 0, 0, half, half));
    update(bottom, part(lower, half, 0, rest, half), top);
    solve_lower(bottom, part(lower, half, half, rest, rest));
  } else {
    solve_lower_serially(b, lower);
  }
}

/* Solves x * upper = b in the place of b. */
static void solve_upper_serially(view b, view upper) {
  for (int i = 0; i < b.rows; ++i)
    for (int j = 0; j < upper.rows; ++j) {
      for (int k = 0; k < j; ++k)
        *entry(b, i, j) -= *entry(b, i, k) * *entry(upper, k, j);
      *entry(b, i, j) /= *entry(upper, j, j);
    }
}

static void solve_upper(view b, view upper) {
  int n = upper.rows;
  if (b.rows > Leaf) {
    int half = b.rows / 2;
    cilk_spawn solve_upper(part(b, 0, 0, half, n), upper);
    solve_upper(part(b, half, 0, b.rows - half, n), upper);
    cilk_sync;
  } else if (n > Leaf) {
    int half = n / 2, rest = n - half;
    view left = part(b, 0, 0, b.rows, half);
    view right = part(b, 0, half, b.rows, rest);
    solve_upper(left, part(upper, 0, 0, half, half));
    update(right, left, part(upper, 0, half, half, rest));
    solve_upper(right, part(upper, half, half, rest, rest));
  } else {
    solve_upper_serially(b, upper);
  }
}

static void factor_serially(view m) {
  for (int k = 0; k < m.rows; ++k)
    for (int i = k + 1; i < m.rows; ++i) {
      double scale = *entry(m, i, k) /= *entry(m, k, k);
      for (int j = k + 1; j < m.rows; ++j)
        *entry(m, i, j) -= scale * *entry(m, k, j);
    }
}

static void factor(view m) {
  int n = m.rows;
  if (n <= Leaf) {
    factor_serially(m);
    return;
  }
  int half = n / 2, rest = n - half;
  view first = part(m, 0, 0, half, half), right = part(m, 0, half, half, rest);
  view below = part(m, half, 0, rest, half);
  view last = part(m, half, half, rest, rest);
  factor(first);
  cilk_spawn solve_lower(right, first);
  cilk_spawn solve_upper(below, first);
  cilk_sync;
  update(last, below, right);
  factor(last);
}

/* A matrix dominated by its diagonal. */
static double *make_numbers(int n) {
  double *numbers = (double *)malloc(sizeof(double) * n * n);
  CHECK(numbers);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      numbers[i * n + j] =
          (double)(scramble(i * n + j) % 2001) / 1000 - 1 + (i == j ? n : 0);
  return numbers;
}

static void report(int n, const double *given, view m) {
  /* Large matrices: every few rows only, for this check is not parallel. */
  for (int i = 0; i < n; i += 1 + n / 400)
    for (int j = 0; j < n; ++j) {
      double sum = j < i ? 0 : *entry(m, i, j);
      for (int k = 0; k < i && k <= j; ++k)
        sum += *entry(m, i, k) * *entry(m, k, j);
      CHECK(fabs(sum - given[i * n + j]) < 1e-9 * n);
    }
  printf("lu %d: last pivot %.6f, checksum %016llx\n", n,
         *entry(m, n - 1, n - 1),
         (unsigned long long)checksum(m.at, sizeof(double) * n * n));
}

int main(int argc, char **argv) {
  int n = (int)argument(argc, argv, 1, 150);
  double *given = make_numbers(n), *factors = make_numbers(n);
  view m = {factors, n, n, n};
  stopwatch watch = stopwatch_start();
  factor(m);
  stopwatch_stop(watch);
  report(n, given, m);
  free(given);
  free(factors);
  return 0;
}
