//===- noise.h - Irregular numbers and patterns -------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef RAYTRACER_NOISE_H
#define RAYTRACER_NOISE_H

#include "vector.h"
#include <stdint.h>

/// A number in [0, 1) that depends on both arguments only.
double uniform(uint64_t stream, uint64_t index);

/// A point in the ball of radius 1.
vector in_ball(uint64_t stream, uint64_t index);

/// A smooth function of place with values in [0, 1].
double smooth_noise(vector place, uint64_t seed);

/// Noise of falling size added up; spawns.
double turbulence(vector place, uint64_t seed, int octaves);

#endif
