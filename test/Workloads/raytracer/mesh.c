//===- mesh.c - Shapes of many triangles --------------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "memory.h"
#include "noise.h"
#include "shape.h"

#include <cilk/cilk.h>

/* The corners of a triangle on the ball of radius 1. */
typedef struct {
  vector a, b, c;
} face;

typedef struct {
  vector centre;
  double radius;
  int material;
} ball;

static long faces_below(int depth) { return 1L << (2 * depth); }

/* Writes 4^depth triangles from `out` on. */
static void divide(face f, int depth, ball of, shape *out) {
  if (depth == 0) {
    *out = make_triangle(plus(of.centre, scale(of.radius, f.a)),
                         plus(of.centre, scale(of.radius, f.b)),
                         plus(of.centre, scale(of.radius, f.c)), of.material);
    return;
  }
  vector ab = unit(plus(f.a, f.b)), bc = unit(plus(f.b, f.c));
  vector ca = unit(plus(f.c, f.a));
  face parts[] = {{f.a, ab, ca}, {ab, f.b, bc}, {ca, bc, f.c}, {ab, bc, ca}};
  for (int i = 0; i < 4; ++i)
    cilk_spawn divide(parts[i], depth - 1, of,
                      out + i * faces_below(depth - 1));
}

shape_list make_ball(vector centre, double radius, int depth, int material) {
  /* An icosahedron's corners, and its faces by their numbers. */
  const double g = 1.618033988749895;
  const vector corner[12] = {{-1, g, 0}, {1, g, 0}, {-1, -g, 0}, {1, -g, 0},
                             {0, -1, g}, {0, 1, g}, {0, -1, -g}, {0, 1, -g},
                             {g, 0, -1}, {g, 0, 1}, {-g, 0, -1}, {-g, 0, 1}};
  static const unsigned char faces[20][3] = {
      {0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
      {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
      {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
      {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
  ball of = {centre, radius, material};
  shape_list list = {NULL, 20 * faces_below(depth), 20 * faces_below(depth)};
  list.at = allocate(list.count, sizeof *list.at);
  for (int i = 0; i < 20; ++i) {
    face f = {unit(corner[faces[i][0]]), unit(corner[faces[i][1]]),
              unit(corner[faces[i][2]])};
    cilk_spawn divide(f, depth, of, list.at + i * faces_below(depth));
  }
  cilk_sync;
  return list;
}

/* A grid of (2^depth + 1)^2 heights. */
typedef struct {
  vector origin;
  double step, height;
  int cells, material;
  vector *at;
} grid;

static vector hill(const grid *g, int row, int column) {
  vector flat =
      plus(g->origin, make_vector(column * g->step, 0, row * g->step));
  flat.y += g->height * turbulence(scale(0.8, flat), 17, 3);
  return flat;
}

static void fill_row(grid *g, int row) {
  for (int column = 0; column <= g->cells; ++column)
    g->at[row * (g->cells + 1) + column] = cilk_spawn hill(g, row, column);
}

static void join_row(const grid *g, int row, shape *out) {
  const vector *near = g->at + row * (g->cells + 1);
  const vector *far = near + g->cells + 1;
  for (int i = 0; i < g->cells; ++i) {
    *out++ = make_triangle(near[i], far[i], near[i + 1], g->material);
    *out++ = make_triangle(near[i + 1], far[i], far[i + 1], g->material);
  }
}

shape_list make_hills(vector centre, double side, double height, int depth,
                      int material) {
  int cells = 1 << depth;
  grid g = {minus(centre, make_vector(side / 2, 0, side / 2)),
            side / cells,
            height,
            cells,
            material,
            allocate((size_t)(cells + 1) * (cells + 1), sizeof(vector))};
  shape_list list = {NULL, 2L * cells * cells, 2L * cells * cells};
  list.at = allocate(list.count, sizeof *list.at);
  for (int row = 0; row <= cells; ++row)
    cilk_spawn fill_row(&g, row);
  cilk_sync;
  for (int row = 0; row < cells; ++row)
    cilk_spawn join_row(&g, row, list.at + 2L * row * cells);
  cilk_sync;
  release(g.at);
  return list;
}
