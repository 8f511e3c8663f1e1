//===- spmv.c - Sparse matrix times vector ------------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compressed rows; the vectors change places after each product.
//
//===----------------------------------------------------------------------===//

#include "loops.h"

struct csr {
  int rows;
  int *start, *column;
  double *value;
};

static struct csr make(int rows) {
  struct csr m = {rows, malloc((rows + 1) * sizeof(int)),
                  malloc((size_t)rows * 15 * sizeof(int)),
                  malloc((size_t)rows * 15 * sizeof(double))};
  CHECK(m.start && m.column && m.value);
  int used = 0;
  for (int i = 0; i < rows; i++) {
    m.start[i] = used;
    int count = 1 + (int)(scramble(i) % 15);
    for (int k = 0; k < count; k++, used++) {
      m.column[used] = (int)(scramble(used) % rows);
      m.value[used] = 1.0 / count;
    }
  }
  m.start[rows] = used;
  return m;
}

static void multiply(const struct csr *m, const double *x, double *y) {
  cilk_for (int i = 0; i < m->rows; i++) {
    double sum = 0;
    for (int k = m->start[i]; k < m->start[i + 1]; k++)
      sum += m->value[k] * x[m->column[k]];
    y[i] = sum;
  }
}

int main(int argc, char **argv) {
  int rows = (int)first_argument(argc, argv, 30000, 100);
  struct csr m = make(rows);
  double *x = malloc(rows * sizeof(double)), *y = malloc(rows * sizeof(double));
  CHECK(x && y);
  for (int i = 0; i < rows; i++)
    x[i] = i % 100;

  stopwatch watch = stopwatch_start();
  for (int k = 0; k < 300; k++) {
    multiply(&m, x, y);
    double *swap = x;
    x = y;
    y = swap;
  }
  stopwatch_stop(watch);

  report("spmv", x, rows * sizeof(double));
  free(m.start), free(m.column), free(m.value), free(x), free(y);
  return 0;
}
