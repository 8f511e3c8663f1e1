//===- quickhull.c - The convex hull of points --------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The convex hull of points in a disc by quickhull: the point that is farthest
// from a line belongs to it, and what is outside of the two new lines is copied
// to new arrays. Counts the corners and adds up the area. The argument is the
// number of points.
//
// grain: coarse
//
//===----------------------------------------------------------------------===//

#include "../loops/loops.h"

typedef struct {
  double x, y;
} Point;

typedef struct {
  long corners;
  double area;
} Hull;

/// Twice the area of the triangle; positive if c is to the left of a and b.
static double cross(const Point *a, const Point *b, const Point *c) {
  return (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x);
}

/// Copies the points that are to the left of the line.
static Point *to_the_left(const Point *points, long n, const Point *a,
                          const Point *b, long *count) {
  Point *chosen = malloc((n + 1) * sizeof(Point));
  CHECK(chosen);
  *count = 0;
  for (long i = 0; i < n; i++)
    if (cross(a, b, &points[i]) > 0)
      chosen[(*count)++] = points[i];
  return chosen;
}

static void hull_of_side(const Point *points, long n, Point a, Point b,
                         Hull *hull) {
  if (n == 0) {
    hull->corners = 1;
    hull->area = (a.x * b.y - a.y * b.x) / 2;
    return;
  }
  long farthest = 0;
  double distance = cross(&a, &b, &points[0]);
  for (long i = 1; i < n; i++) {
    double d = cross(&a, &b, &points[i]);
    if (d > distance) {
      distance = d;
      farthest = i;
    }
  }
  Point c = points[farthest];

  long n1, n2;
  Point *side1 = to_the_left(points, n, &a, &c, &n1);
  Point *side2 = to_the_left(points, n, &c, &b, &n2);
  Hull hull1, hull2;
  cilk_spawn hull_of_side(side1, n1, a, c, &hull1);
  hull_of_side(side2, n2, c, b, &hull2);
  cilk_sync;
  free(side1);
  free(side2);
  hull->corners = hull1.corners + hull2.corners;
  hull->area = hull1.area + hull2.area;
}

static Hull quickhull(const Point *points, long n) {
  long west = 0, east = 0;
  for (long i = 1; i < n; i++) {
    if (points[i].x < points[west].x)
      west = i;
    if (points[i].x > points[east].x)
      east = i;
  }
  Point a = points[west], b = points[east];
  Hull upper, lower;
  long n1, n2;
  Point *above = to_the_left(points, n, &a, &b, &n1);
  Point *below = to_the_left(points, n, &b, &a, &n2);
  cilk_spawn hull_of_side(above, n1, a, b, &upper);
  cilk_spawn hull_of_side(below, n2, b, a, &lower);
  cilk_sync;
  free(above);
  free(below);
  return (Hull){upper.corners + lower.corners, -(upper.area + lower.area)};
}

int main(int argc, char **argv) {
  long n = first_argument(argc, argv, 8000000, 500);
  Point *points = malloc(n * sizeof(Point));
  CHECK(points);
  for (long i = 0, k = 0; i < n; k++) {
    double x = (double)(scramble(2 * k) % 2000001) / 1e6 - 1;
    double y = (double)(scramble(2 * k + 1) % 2000001) / 1e6 - 1;
    if (x * x + y * y <= 1)
      points[i++] = (Point){x, y};
  }

  stopwatch watch = stopwatch_start();
  Hull hull = quickhull(points, n);
  stopwatch_stop(watch);

  printf("%ld corners, area %.9f\n", hull.corners, hull.area);
  free(points);
  return 0;
}
