//===- matmul-blocked.c - Product of matrices stored in blocks ----*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Square blocks of a matrix lie together; those at the edges are filled up with
// zeros. Packing, one product for each block of the result, and unpacking are
// three loops of spawns with a sync after each. Sizes need not be multiples of
// the block's. Entries are small integers, so the plain triple loop must find
// the same numbers.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// BENCH-ARGS: 700 700 700

#include "../Support/check.h"
#include "../Support/stopwatch.h"
#include <cilk/cilk.h>

enum { Side = 16 };

typedef struct {
  double at[Side][Side];
} block;

typedef struct {
  int rows, columns;             /* of numbers */
  int block_rows, block_columns; /* of blocks */
  block *blocks;
} blocked;

static block *block_at(blocked m, int row, int column) {
  return m.blocks + (long)row * m.block_columns + column;
}

static blocked fresh(int rows, int columns) {
  blocked m = {rows, columns, (rows + Side - 1) / Side,
               (columns + Side - 1) / Side, NULL};
  m.blocks = calloc((size_t)m.block_rows * m.block_columns, sizeof(block));
  CHECK(m.blocks);
  return m;
}

typedef void mover(blocked m, double *plain, int row, int column);

static int limit(int end, int block_index) {
  int left = end - block_index * Side;
  return left < Side ? left : Side;
}

static void pack_block(blocked m, double *plain, int row, int column) {
  for (int i = 0; i < limit(m.rows, row); ++i)
    for (int j = 0; j < limit(m.columns, column); ++j)
      block_at(m, row, column)->at[i][j] =
          plain[(long)(row * Side + i) * m.columns + column * Side + j];
}

static void unpack_block(blocked m, double *plain, int row, int column) {
  for (int i = 0; i < limit(m.rows, row); ++i)
    for (int j = 0; j < limit(m.columns, column); ++j)
      plain[(long)(row * Side + i) * m.columns + column * Side + j] =
          block_at(m, row, column)->at[i][j];
}

static void move(mover *how, blocked m, double *plain) {
  for (int i = 0; i < m.block_rows; ++i)
    for (int j = 0; j < m.block_columns; ++j)
      cilk_spawn how(m, plain, i, j);
  cilk_sync;
}

/* By value: the sum stays in the task until it is complete. */
static block multiply_block(block sum, const block *a, const block *b) {
  for (int i = 0; i < Side; ++i)
    for (int k = 0; k < Side; ++k)
      for (int j = 0; j < Side; ++j)
        sum.at[i][j] += a->at[i][k] * b->at[k][j];
  return sum;
}

static void result_block(blocked c, blocked a, blocked b, int row, int column) {
  block sum = {{{0}}};
  for (int k = 0; k < a.block_columns; ++k)
    sum = multiply_block(sum, block_at(a, row, k), block_at(b, k, column));
  *block_at(c, row, column) = sum;
}

static void result_row(blocked c, blocked a, blocked b, int row) {
  for (int j = 0; j < c.block_columns; ++j)
    cilk_spawn result_block(c, a, b, row, j);
}

static void multiply(double *c, double *a, double *b, int rows, int inner,
                     int columns) {
  blocked pa = fresh(rows, inner), pb = fresh(inner, columns);
  blocked pc = fresh(rows, columns);
  cilk_spawn move(pack_block, pa, a);
  cilk_spawn move(pack_block, pb, b);
  cilk_sync;
  for (int i = 0; i < pc.block_rows; ++i)
    cilk_spawn result_row(pc, pa, pb, i);
  cilk_sync;
  move(unpack_block, pc, c);
  free(pa.blocks), free(pb.blocks), free(pc.blocks);
}

static double *filled(int rows, int columns, uint64_t seed) {
  double *m = malloc(sizeof *m * rows * columns);
  CHECK(m);
  for (long i = 0; i < (long)rows * columns; ++i)
    m[i] = (double)(scramble(seed + i) % 41) - 20;
  return m;
}

int main(int argc, char **argv) {
  int rows = (int)argument(argc, argv, 1, 113);
  int inner = (int)argument(argc, argv, 2, 131);
  int columns = (int)argument(argc, argv, 3, 75);
  double *a = filled(rows, inner, 0), *b = filled(inner, columns, 1ull << 40);
  double *c = filled(rows, columns, 0);
  stopwatch watch = stopwatch_start();
  multiply(c, a, b, rows, inner, columns);
  stopwatch_stop(watch);
  double trace = 0;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      double sum = 0;
      for (int k = 0; k < inner; ++k)
        sum += a[(long)i * inner + k] * b[(long)k * columns + j];
      CHECK(c[(long)i * columns + j] == sum);
      trace += i == j ? sum : 0;
    }
  printf("matmul %d x %d x %d in blocks: trace %.0f, checksum %016llx\n", rows,
         inner, columns, trace,
         (unsigned long long)checksum(c, sizeof *c * rows * columns));
  free(a), free(b), free(c);
  return 0;
}
