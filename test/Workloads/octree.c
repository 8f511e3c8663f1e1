//===- octree.c - Small parallel loops in recursion --------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cells of a solid (a ball without another) in space that is divided into eight
// again and again where its surface is: a parallel loop of eight iterations in
// each activation, whose results stand in an array.  The volume by nested
// parallel loops, and by a loop of spawns, without a tree.  All three have to
// find the same, and what is between the volumes of the cells inside and of
// those that are not outside.
//
//===----------------------------------------------------------------------===//
// BENCH-ARGS: 8
// SANITIZE: yes

#include "../Support/check.h"
#include "../Support/stopwatch.h"
#include <cilk/cilk.h>

typedef struct cell {
  struct cell *part[8];
  long inside, touched; // in cells of the least size
} cell;

enum place { outside, mixed, inside };

/// Where the cube of `size` at (x, y, z) is, in units of the least size; the
/// ball has its centre in the middle of `all` and the hole in a corner.
static enum place placeOf(long x, long y, long z, long size, long all) {
  long least = 0, most = 0, leastHole = 0, mostHole = 0;
  long low[3] = {x, y, z};
  for (int i = 0; i < 3; ++i) {
    long a = 2 * low[i] - all, b = a + 2 * size;
    long near = a > 0 ? a : b < 0 ? -b : 0, far = -a > b ? -a : b;
    least += near * near;
    most += far * far;
    leastHole += 4 * low[i] * low[i];
    mostHole += 4 * (low[i] + size) * (low[i] + size);
  }
  long radius = all * all, hole = all * all;
  if (least >= radius || mostHole <= hole)
    return outside;
  return most <= radius && leastHole >= hole ? inside : mixed;
}

static cell *build(long x, long y, long z, long size, long all) {
  cell *c = calloc(1, sizeof *c);
  CHECK(c);
  enum place place = placeOf(x, y, z, size, all);
  if (place != mixed || size == 1) {
    c->inside = place == inside ? size * size * size : 0;
    c->touched = place != outside ? size * size * size : 0;
    return c;
  }
  long half = size / 2;
  cilk_for (int i = 0; i < 8; ++i)
    c->part[i] = build(x + (i & 1 ? half : 0), y + (i & 2 ? half : 0),
                       z + (i & 4 ? half : 0), half, all);
  return c;
}

static long sum(cell *c) {
  if (!c->part[0])
    return c->touched;
  long touched[8], inside[8];
  cilk_for (int i = 0; i < 8; ++i) {
    touched[i] = sum(c->part[i]);
    inside[i] = c->part[i]->inside;
  }
  for (int i = 0; i < 8; ++i) {
    c->touched += touched[i];
    c->inside += inside[i];
  }
  return c->touched;
}

/// The cells inside, without a tree.
static long volume(long x, long y, long z, long size, long all) {
  enum place place = placeOf(x, y, z, size, all);
  if (place != mixed || size == 1)
    return place == inside ? size * size * size : 0;
  long half = size / 2, of[2][2][2];
  cilk_for (int i = 0; i < 2; ++i)
    cilk_for (int k = 0; k < 2; ++k) {
      of[i][k][0] = volume(x, y + k * half, z + i * half, half, all);
      of[i][k][1] = volume(x + half, y + k * half, z + i * half, half, all);
    }
  long found = 0;
  for (int i = 0; i < 8; ++i)
    found += of[i / 4][i / 2 % 2][i % 2];
  return found;
}

/// Those that are not outside.
static long cover(long x, long y, long z, long size, long all) {
  enum place place = placeOf(x, y, z, size, all);
  if (place != mixed || size == 1)
    return place != outside ? size * size * size : 0;
  long half = size / 2, of[8], found = 0;
  for (int i = 0; i < 8; ++i)
    of[i] = cilk_spawn cover(x + (i & 1 ? half : 0), y + (i & 2 ? half : 0),
                             z + (i & 4 ? half : 0), half, all);
  cilk_sync;
  for (int i = 0; i < 8; ++i)
    found += of[i];
  return found;
}

static void drop(cell *c) {
  for (int i = 0; i < 8 && c->part[0]; ++i)
    drop(c->part[i]);
  free(c);
}

int main(int argc, char **argv) {
  long levels = argument(argc, argv, 1, 4);
  CHECK(levels >= 1 && levels <= 12);
  long all = 1l << levels;
  stopwatch watch = stopwatch_start();
  cell *root = build(0, 0, 0, all, all);
  long touched = sum(root), found = root->inside;
  long cells = volume(0, 0, 0, all, all);
  long covered = cover(0, 0, 0, all, all);
  drop(root);
  stopwatch_stop(watch);
  printf("%ld %ld\n", found, touched);
  CHECK_EQUAL(cells, found);
  CHECK_EQUAL(covered, touched);
  // Of each of the least cells by itself.
  if (levels <= 6) {
    long expected = 0, expectedTouched = 0;
    for (long i = 0; i < all * all * all; ++i) {
      enum place place = placeOf(i % all, i / all % all, i / all / all, 1, all);
      expected += place == inside;
      expectedTouched += place != outside;
    }
    CHECK_EQUAL(found, expected);
    CHECK_EQUAL(touched, expectedTouched);
  }
  return 0;
}
