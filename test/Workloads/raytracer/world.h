//===- world.h - Balls that move ----------------------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef RAYTRACER_WORLD_H
#define RAYTRACER_WORLD_H

#include "vector.h"

typedef struct {
  vector place, speed;
  double radius, mass;
} particle;

typedef struct {
  vector momentum;
  double energy; /* of motion and of squeezed balls */
} balance;

/// There is one world. Balls in a cube of side 2 around the origin, whose
/// sides push them back.
void make_world(long count);
void destroy_world(void);
long world_size(void);
const particle *world_particle(long index);

/// Moves on by `count` steps of time. Spawns.
void step_world(int count, double seconds);
balance world_balance(void);

/// The forces by a grid of cells must be those by all pairs.
void check_world(void);

#endif
