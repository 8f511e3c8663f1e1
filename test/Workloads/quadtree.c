//===- quadtree.c - A quadtree of malloc'ed nodes -----------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Built, queried and freed by spawns: destinations are the nodes' own fields,
// and tasks call malloc and free. Counts of points in windows are checked by
// looking at every point.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// BENCH-ARGS: 300000
// VGIW-ARGS: 1000

#include "../Support/check.h"
#include "../Support/stopwatch.h"
#include <cilk/cilk.h>
#include <string.h>

enum { LeafPoints = 6, Windows = 12 };

typedef struct {
  float x, y;
} point;

typedef struct {
  float left, bottom, right, top; /* right and top are outside */
} window;

typedef struct node {
  window area;
  long count;
  point *points; /* of a leaf; null otherwise */
  struct node *child[4];
} node;

static int inside(window w, point p) {
  return w.left <= p.x && p.x < w.right && w.bottom <= p.y && p.y < w.top;
}

static window quarter(window w, int index) {
  float x = (w.left + w.right) / 2, y = (w.bottom + w.top) / 2;
  return (window){index & 1 ? x : w.left, index & 2 ? y : w.bottom,
                  index & 1 ? w.right : x, index & 2 ? w.top : y};
}

/* Takes the points over. */
static node *build(window area, point *points, long count) {
  node *made = calloc(1, sizeof *made);
  CHECK(made);
  made->area = area;
  made->count = count;
  if (count <= LeafPoints) {
    made->points = points;
    return made;
  }
  for (int i = 0; i < 4; ++i) {
    window part = quarter(area, i);
    point *own = malloc(count * sizeof *own);
    long own_count = 0;
    for (long k = 0; k < count; ++k)
      if (inside(part, points[k]))
        own[own_count++] = points[k];
    made->child[i] = cilk_spawn build(part, own, own_count);
  }
  free(points);
  return made;
}

static long count_inside(const node *tree, window w) {
  if (w.right <= tree->area.left || tree->area.right <= w.left ||
      w.top <= tree->area.bottom || tree->area.top <= w.bottom)
    return 0;
  if (tree->points) {
    long count = 0;
    for (long i = 0; i < tree->count; ++i)
      count += inside(w, tree->points[i]);
    return count;
  }
  long a = cilk_spawn count_inside(tree->child[0], w);
  long b = cilk_spawn count_inside(tree->child[1], w);
  long c = cilk_spawn count_inside(tree->child[2], w);
  long d = count_inside(tree->child[3], w);
  cilk_sync;
  return a + b + c + d;
}

static void destroy(node *tree) {
  if (!tree)
    return;
  for (int i = 0; i < 4; ++i)
    cilk_spawn destroy(tree->child[i]);
  cilk_sync;
  free(tree->points);
  free(tree);
}

int main(int argc, char **argv) {
  long count = argument(argc, argv, 1, 6000);
  point *all = malloc(count * sizeof *all),
        *given = malloc(count * sizeof *all);
  for (long i = 0; i < count; ++i) {
    uint64_t bits = scramble(i);
    /* Squaring crowds them into a corner, and the tree gets lopsided. */
    float x = (float)(bits % 4096) / 4096,
          y = (float)(bits / 4096 % 4096) / 4096;
    all[i] = (point){x * x, y * y};
  }
  memcpy(given, all, count * sizeof *all);
  stopwatch watch = stopwatch_start();
  node *tree = build((window){0, 0, 1, 1}, given, count);
  stopwatch_stop(watch);
  long sum = 0;
  for (int i = 0; i < Windows; ++i) {
    float left = i * 0.03f, bottom = 0.4f - i * 0.03f;
    window w = {left, bottom, left + 0.3f, bottom + 0.25f};
    long found = count_inside(tree, w), expected = 0;
    for (long k = 0; k < count; ++k)
      expected += inside(w, all[k]);
    CHECK_EQUAL(found, expected);
    sum += found;
  }
  printf("quadtree: %ld points, %ld found\n", count, sum);
  destroy(tree);
  free(all);
  return 0;
}
