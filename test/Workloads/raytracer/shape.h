//===- shape.h - What rays hit ------------------------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef RAYTRACER_SHAPE_H
#define RAYTRACER_SHAPE_H

#include "vector.h"

typedef struct shape shape;

/// Where a ray meets a shape.
typedef struct {
  const shape *shape; /* null if it meets none */
  double distance;
  vector place, normal; /* the normal is turned against the ray */
  bool inside;          /* the ray came from the shape's inside */
} hit;

typedef struct {
  const char *name;
  box (*bounds)(const shape *s);
  /* The distance at which the ray meets the shape, between the limits; or -1.
   */
  double (*meet)(const shape *s, ray r, double near, double far);
  vector (*normal)(const shape *s, vector place);
  double (*area)(const shape *s);
} shape_kind;

struct shape {
  const shape_kind *kind;
  int material;
  union {
    struct {
      vector centre;
      double radius;
    } sphere;
    struct {
      vector corner[3];
    } triangle;
    struct {
      vector centre, normal;
      double radius;
    } disc;
    struct { /* without its lids */
      vector foot, along;
      double length, radius;
    } tube;
  };
};

shape make_sphere(vector centre, double radius, int material);
shape make_triangle(vector a, vector b, vector c, int material);
shape make_disc(vector centre, vector normal, double radius, int material);
shape make_tube(vector foot, vector top, double radius, int material);

/// A growing array of shapes.
typedef struct {
  shape *at;
  long count, room;
} shape_list;

void append(shape_list *list, shape s);

/// A ball's surface of 20 * 4^depth triangles. Spawns.
shape_list make_ball(vector centre, double radius, int depth, int material);
/// A square of hills with sides of length `side`, 2 * 4^depth triangles.
/// Spawns.
shape_list make_hills(vector centre, double side, double height, int depth,
                      int material);

#endif
