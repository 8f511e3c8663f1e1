//===- shape.c - What rays hit ------------------------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "shape.h"

#include "memory.h"

static box around(vector centre, double x, double y, double z) {
  vector d = make_vector(x + 1e-9, y + 1e-9, z + 1e-9);
  box b = {minus(centre, d), plus(centre, d)};
  return b;
}

static double nearer_of(double first, double second, double near, double far) {
  if (near < first && first < far)
    return first;
  return near < second && second < far ? second : -1;
}

static box sphere_bounds(const shape *s) {
  double r = s->sphere.radius;
  return around(s->sphere.centre, r, r, r);
}

static double sphere_meet(const shape *s, ray r, double near, double far) {
  vector offset = minus(s->sphere.centre, r.from);
  double along = dot(offset, r.along);
  vector side = minus(offset, scale(along, r.along));
  double left = s->sphere.radius * s->sphere.radius - dot(side, side);
  if (left < 0)
    return -1;
  double half = sqrt(left);
  return nearer_of(along - half, along + half, near, far);
}

static vector sphere_normal(const shape *s, vector place) {
  return scale(1 / s->sphere.radius, minus(place, s->sphere.centre));
}

static double sphere_area(const shape *s) {
  return 4 * PI * s->sphere.radius * s->sphere.radius;
}

static box triangle_bounds(const shape *s) {
  const vector *c = s->triangle.corner;
  box b = {lower(c[0], lower(c[1], c[2])), upper(c[0], upper(c[1], c[2]))};
  vector rim = make_vector(1e-9, 1e-9, 1e-9);
  b.low = minus(b.low, rim);
  b.high = plus(b.high, rim);
  return b;
}

/* The normal times twice the area. */
static vector triangle_span(const shape *s) {
  const vector *c = s->triangle.corner;
  return cross(minus(c[1], c[0]), minus(c[2], c[0]));
}

static double triangle_meet(const shape *s, ray r, double near, double far) {
  const vector *c = s->triangle.corner;
  vector span = triangle_span(s);
  double facing = dot(span, r.along);
  if (facing == 0)
    return -1;
  double distance = dot(minus(c[0], r.from), span) / facing;
  if (!(near < distance && distance < far))
    return -1;
  vector place = point_on(r, distance);
  for (int i = 0; i < 3; ++i) {
    vector edge = minus(c[(i + 1) % 3], c[i]);
    if (dot(cross(edge, minus(place, c[i])), span) < 0)
      return -1;
  }
  return distance;
}

static vector triangle_normal(const shape *s, vector place) {
  (void)place;
  return unit(triangle_span(s));
}

static double triangle_area(const shape *s) {
  return norm(triangle_span(s)) / 2;
}

static box disc_bounds(const shape *s) {
  vector n = s->disc.normal;
  double r = s->disc.radius;
  return around(s->disc.centre, r * sqrt(fmax(0, 1 - n.x * n.x)),
                r * sqrt(fmax(0, 1 - n.y * n.y)),
                r * sqrt(fmax(0, 1 - n.z * n.z)));
}

static double disc_meet(const shape *s, ray r, double near, double far) {
  double facing = dot(s->disc.normal, r.along);
  if (facing == 0)
    return -1;
  double distance = dot(minus(s->disc.centre, r.from), s->disc.normal) / facing;
  if (!(near < distance && distance < far))
    return -1;
  vector offset = minus(point_on(r, distance), s->disc.centre);
  double radius = s->disc.radius;
  return dot(offset, offset) <= radius * radius ? distance : -1;
}

static vector disc_normal(const shape *s, vector place) {
  (void)place;
  return s->disc.normal;
}

static double disc_area(const shape *s) {
  return PI * s->disc.radius * s->disc.radius;
}

static vector tube_top(const shape *s) {
  return plus(s->tube.foot, scale(s->tube.length, s->tube.along));
}

static box tube_bounds(const shape *s) {
  shape lid = make_disc(s->tube.foot, s->tube.along, s->tube.radius, 0);
  box foot = disc_bounds(&lid);
  lid.disc.centre = tube_top(s);
  return join(foot, disc_bounds(&lid));
}

static double tube_meet(const shape *s, ray r, double near, double far) {
  /* In the plane across the tube it is a circle. */
  vector axis = s->tube.along, offset = minus(r.from, s->tube.foot);
  vector d = minus(r.along, scale(dot(r.along, axis), axis));
  vector o = minus(offset, scale(dot(offset, axis), axis));
  double a = dot(d, d), b = dot(o, d);
  double c = dot(o, o) - s->tube.radius * s->tube.radius;
  double root = b * b - a * c;
  if (a < 1e-12 || root < 0)
    return -1;
  for (int sign = -1; sign <= 1; sign += 2) {
    double distance = (-b + sign * sqrt(root)) / a;
    double height = dot(plus(offset, scale(distance, r.along)), axis);
    if (near < distance && distance < far && 0 <= height &&
        height <= s->tube.length)
      return distance;
  }
  return -1;
}

static vector tube_normal(const shape *s, vector place) {
  vector offset = minus(place, s->tube.foot);
  double height = dot(offset, s->tube.along);
  return scale(1 / s->tube.radius, minus(offset, scale(height, s->tube.along)));
}

static double tube_area(const shape *s) {
  return 2 * PI * s->tube.radius * s->tube.length;
}

static const shape_kind sphere_kind = {"sphere", sphere_bounds, sphere_meet,
                                       sphere_normal, sphere_area},
                        triangle_kind = {"triangle", triangle_bounds,
                                         triangle_meet, triangle_normal,
                                         triangle_area},
                        disc_kind = {"disc", disc_bounds, disc_meet,
                                     disc_normal, disc_area},
                        tube_kind = {"tube", tube_bounds, tube_meet,
                                     tube_normal, tube_area};

shape make_sphere(vector centre, double radius, int material) {
  shape s = {.kind = &sphere_kind, .material = material};
  s.sphere.centre = centre;
  s.sphere.radius = radius;
  return s;
}

shape make_triangle(vector a, vector b, vector c, int material) {
  shape s = {.kind = &triangle_kind, .material = material};
  s.triangle.corner[0] = a;
  s.triangle.corner[1] = b;
  s.triangle.corner[2] = c;
  return s;
}

shape make_disc(vector centre, vector normal, double radius, int material) {
  shape s = {.kind = &disc_kind, .material = material};
  s.disc.centre = centre;
  s.disc.normal = unit(normal);
  s.disc.radius = radius;
  return s;
}

shape make_tube(vector foot, vector top, double radius, int material) {
  shape s = {.kind = &tube_kind, .material = material};
  vector along = minus(top, foot);
  s.tube.foot = foot;
  s.tube.length = norm(along);
  s.tube.along = unit(along);
  s.tube.radius = radius;
  return s;
}

void append(shape_list *list, shape s) {
  if (list->count == list->room) {
    list->room = list->room * 2 + 8;
    list->at = grow(list->at, list->count, list->room, sizeof *list->at);
  }
  list->at[list->count++] = s;
}
