//===- cholesky.c - Cholesky factors of a sparse quadtree ---------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lower half of a symmetric matrix as a tree of quadrants down to dense
// blocks; an absent quadrant is zero. Quadrants appear while the matrix fills
// up, and functions return the subtree they changed or made, which the spawn
// stores in its parent. The matrix is a grid's Laplacian, numbered by bit
// reversal. Checked by A * x = L * (L^T * x).
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// BENCH-ARGS: 12
// LIBS: -lm
// VGIW-ARGS: 6

#include "../Support/check.h"
#include "../Support/stopwatch.h"
#include <cilk/cilk.h>
#include <math.h>

enum { Side = 4 };

/* A square matrix of Side << depth rows; `q` is in reading order. On the
   diagonal the upper right is left out. */
typedef union tree {
  union tree *q[4];
  double at[Side][Side];
} tree;

static tree *fresh(void) {
  tree *t = calloc(1, sizeof *t);
  CHECK(t);
  return t;
}

static void release(tree *t, int depth) {
  if (!t)
    return;
  for (int i = 0; depth > 0 && i < 4; ++i)
    cilk_spawn release(t->q[i], depth - 1);
  cilk_sync;
  free(t);
}

static double *entry(tree **root, int depth, int row, int column) {
  tree **place = root;
  for (;; --depth) {
    if (!*place)
      *place = fresh();
    if (depth == 0)
      return &(*place)->at[row % Side][column % Side];
    int half = Side << (depth - 1);
    place = &(*place)->q[(row / half % 2) * 2 + column / half % 2];
  }
}

/* Returns c - a * transpose of b; with `lower` only its lower half. */
static tree *subtract(tree *c, const tree *a, const tree *b, int depth,
                      int lower) {
  if (!a || !b)
    return c;
  if (!c)
    c = fresh();
  if (depth == 0) {
    for (int i = 0; i < Side; ++i)
      for (int j = 0; j < (lower ? i + 1 : Side); ++j)
        for (int k = 0; k < Side; ++k)
          c->at[i][j] -= a->at[i][k] * b->at[j][k];
    return c;
  }
  for (int k = 0; k < 2; ++k) {
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) {
        if (lower && j > i)
          continue;
        tree **place = &c->q[i * 2 + j];
        *place = cilk_spawn subtract(*place, a->q[i * 2 + k], b->q[j * 2 + k],
                                     depth - 1, lower && i == j);
      }
    cilk_sync;
  }
  return c;
}

/* Returns x with x * transpose of l = b, in the place of b. */
static tree *solve(tree *b, const tree *l, int depth) {
  if (!b)
    return NULL;
  if (depth == 0) {
    for (int i = 0; i < Side; ++i)
      for (int j = 0; j < Side; ++j) {
        for (int k = 0; k < j; ++k)
          b->at[i][j] -= b->at[i][k] * l->at[j][k];
        b->at[i][j] /= l->at[j][j];
      }
    return b;
  }
  --depth;
  b->q[0] = cilk_spawn solve(b->q[0], l->q[0], depth);
  b->q[2] = cilk_spawn solve(b->q[2], l->q[0], depth);
  cilk_sync;
  b->q[1] = cilk_spawn subtract(b->q[1], b->q[0], l->q[2], depth, 0);
  b->q[3] = cilk_spawn subtract(b->q[3], b->q[2], l->q[2], depth, 0);
  cilk_sync;
  b->q[1] = cilk_spawn solve(b->q[1], l->q[3], depth);
  b->q[3] = cilk_spawn solve(b->q[3], l->q[3], depth);
  return b;
}

static tree *cholesky(tree *a, int depth) {
  if (depth == 0) {
    for (int j = 0; j < Side; ++j) {
      for (int k = 0; k < j; ++k)
        a->at[j][j] -= a->at[j][k] * a->at[j][k];
      CHECK(a->at[j][j] > 0);
      a->at[j][j] = sqrt(a->at[j][j]);
      for (int i = j + 1; i < Side; ++i) {
        for (int k = 0; k < j; ++k)
          a->at[i][j] -= a->at[i][k] * a->at[j][k];
        a->at[i][j] /= a->at[j][j];
      }
    }
    return a;
  }
  --depth;
  a->q[0] = cilk_spawn cholesky(a->q[0], depth);
  cilk_sync;
  a->q[2] = cilk_spawn solve(a->q[2], a->q[0], depth);
  cilk_sync;
  a->q[3] = cilk_spawn subtract(a->q[3], a->q[2], a->q[2], depth, 1);
  cilk_sync;
  a->q[3] = cilk_spawn cholesky(a->q[3], depth);
  return a;
}

/* Adds l * x to out, or its transpose times x, and counts the blocks. */
static long apply(const tree *l, int depth, int transposed, const double *x,
                  double *out) {
  if (!l)
    return 0;
  if (depth == 0) {
    for (int i = 0; i < Side; ++i)
      for (int j = 0; j < Side; ++j)
        out[transposed ? j : i] += l->at[i][j] * x[transposed ? i : j];
    return 1;
  }
  long half = Side << (depth - 1), blocks = 0;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      blocks += apply(l->q[i * 2 + j], depth - 1, transposed,
                      x + half * (transposed ? i : j),
                      out + half * (transposed ? j : i));
  return blocks;
}

static int reversed(int value, int bits) {
  int result = 0;
  for (int i = 0; i < bits; ++i)
    result |= (value >> i & 1) << (bits - 1 - i);
  return result;
}

int main(int argc, char **argv) {
  /* A grid of 2^bits points, 2^(bits / 2) in a row. */
  int bits = (int)argument(argc, argv, 1, 9), depth = bits - 2;
  CHECK(bits >= 4 && bits < 20);
  int n = 1 << bits, width = 1 << bits / 2;
  tree *a = NULL;
  double *x = calloc(n, sizeof *x), *ax = calloc(n, sizeof *x);
  double *ltx = calloc(n, sizeof *x), *lltx = calloc(n, sizeof *x);
  CHECK(x && ax && ltx && lltx);
  for (int i = 0; i < n; ++i)
    x[i] = (double)(scramble(i) % 1000) / 500 - 1;
  for (int i = 0; i < n; ++i) {
    int row = reversed(i, bits);
    *entry(&a, depth, row, row) = 4.1;
    ax[row] += 4.1 * x[row];
    int next[2] = {i % width == width - 1 ? n : i + 1, i + width};
    for (int k = 0; k < 2; ++k) {
      if (next[k] >= n)
        continue;
      int other = reversed(next[k], bits);
      *entry(&a, depth, other > row ? other : row, other > row ? row : other) =
          -1;
      ax[row] -= x[other];
      ax[other] -= x[row];
    }
  }
  stopwatch watch = stopwatch_start();
  a = cholesky(a, depth);
  stopwatch_stop(watch);

  apply(a, depth, 1, x, ltx);
  long blocks = apply(a, depth, 0, ltx, lltx);
  for (int i = 0; i < n; ++i)
    CHECK(fabs(lltx[i] - ax[i]) < 1e-10);
  printf("cholesky %d: %ld blocks, checksum %016llx\n", n, blocks,
         (unsigned long long)checksum(lltx, n * sizeof *lltx));
  release(a, depth);
  free(x), free(ax), free(ltx), free(lltx);
  return 0;
}
