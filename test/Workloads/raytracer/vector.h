//===- vector.h - Points, colours, rays, boxes --------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef RAYTRACER_VECTOR_H
#define RAYTRACER_VECTOR_H

#include <math.h>
#include <stdbool.h>

#define PI 3.14159265358979323846

typedef struct {
  double x, y, z;
} vector;

/// Red, green and blue.
typedef vector colour;

/// `along` has length 1.
typedef struct {
  vector from, along;
} ray;

typedef struct {
  vector low, high;
} box;

static inline vector make_vector(double x, double y, double z) {
  vector v = {x, y, z};
  return v;
}
static inline vector plus(vector a, vector b) {
  return make_vector(a.x + b.x, a.y + b.y, a.z + b.z);
}
static inline vector minus(vector a, vector b) {
  return make_vector(a.x - b.x, a.y - b.y, a.z - b.z);
}
static inline vector scale(double k, vector a) {
  return make_vector(k * a.x, k * a.y, k * a.z);
}
/// Entry by entry, as a surface colours light.
static inline vector filter(vector a, vector b) {
  return make_vector(a.x * b.x, a.y * b.y, a.z * b.z);
}
static inline double dot(vector a, vector b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline vector cross(vector a, vector b) {
  return make_vector(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z,
                     a.x * b.y - a.y * b.x);
}
static inline double norm(vector a) { return sqrt(dot(a, a)); }
static inline vector unit(vector a) { return scale(1 / norm(a), a); }
static inline vector mix(double t, vector a, vector b) {
  return plus(scale(1 - t, a), scale(t, b));
}
static inline vector mirrored(vector along, vector normal) {
  return minus(along, scale(2 * dot(along, normal), normal));
}
static inline vector point_on(ray r, double distance) {
  return plus(r.from, scale(distance, r.along));
}
/// Entry number 0, 1 or 2.
static inline double axis_of(vector v, int axis) {
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}
static inline vector lower(vector a, vector b) {
  return make_vector(fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z));
}
static inline vector upper(vector a, vector b) {
  return make_vector(fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z));
}

/// Some vector of length 1 that is normal to `a`, which has length 1.
static inline vector any_normal(vector a) {
  vector other = fabs(a.x) < 0.6 ? make_vector(1, 0, 0) : make_vector(0, 1, 0);
  return unit(cross(a, other));
}

static inline box empty_box(void) {
  box b = {{1e300, 1e300, 1e300}, {-1e300, -1e300, -1e300}};
  return b;
}
static inline box join(box a, box b) {
  box joined = {lower(a.low, b.low), upper(a.high, b.high)};
  return joined;
}
static inline vector middle(box b) { return scale(0.5, plus(b.low, b.high)); }
/// Half of its surface; 0 if it is empty.
static inline double half_surface(box b) {
  vector d = minus(b.high, b.low);
  return d.x < 0 ? 0 : d.x * d.y + d.y * d.z + d.z * d.x;
}

#endif
