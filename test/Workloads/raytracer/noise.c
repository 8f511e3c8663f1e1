//===- noise.c - Irregular numbers and patterns -------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "noise.h"

#include "../../Support/check.h"
#include <cilk/cilk.h>

double uniform(uint64_t stream, uint64_t index) {
  uint64_t bits = scramble(scramble(stream) + index);
  return (double)(bits >> 11) / (double)(1ull << 53);
}

vector in_ball(uint64_t stream, uint64_t index) {
  for (uint64_t attempt = 0;; ++attempt) {
    uint64_t at = (index * 64 + attempt) * 3;
    vector v = {2 * uniform(stream, at) - 1, 2 * uniform(stream, at + 1) - 1,
                2 * uniform(stream, at + 2) - 1};
    if (dot(v, v) <= 1)
      return v;
  }
}

static double at_corner(int64_t x, int64_t y, int64_t z, uint64_t seed) {
  return uniform(seed, (uint64_t)(x * 73856093) ^ (uint64_t)(y * 19349663) ^
                           (uint64_t)(z * 83492791));
}

static double ease(double t) { return t * t * (3 - 2 * t); }

double smooth_noise(vector place, uint64_t seed) {
  vector floor_of = {floor(place.x), floor(place.y), floor(place.z)};
  vector part = minus(place, floor_of);
  double wx[2] = {1 - ease(part.x), ease(part.x)};
  double wy[2] = {1 - ease(part.y), ease(part.y)};
  double wz[2] = {1 - ease(part.z), ease(part.z)};
  double sum = 0;
  for (int i = 0; i < 8; ++i)
    sum += wx[i & 1] * wy[i >> 1 & 1] * wz[i >> 2] *
           at_corner((int64_t)floor_of.x + (i & 1),
                     (int64_t)floor_of.y + (i >> 1 & 1),
                     (int64_t)floor_of.z + (i >> 2), seed);
  return sum;
}

double turbulence(vector place, uint64_t seed, int octaves) {
  if (octaves == 0)
    return 0;
  double finer = cilk_spawn turbulence(scale(2, place), seed + 1, octaves - 1);
  double coarse = fabs(2 * smooth_noise(place, seed) - 1);
  cilk_sync;
  return coarse + finer / 2;
}
