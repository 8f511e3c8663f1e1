//===- bvh.h - A hierarchy of boxes around shapes -----------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef RAYTRACER_BVH_H
#define RAYTRACER_BVH_H

#include "shape.h"

typedef struct bvh {
  box bounds;
  struct bvh *part[2]; /* both null in a leaf */
  const shape **shapes;
  long count;
} bvh;

typedef struct {
  long nodes, leaves, shapes, depth;
  double area; /* of the shapes */
} bvh_size;

/// Spawns. The shapes must live as long as the tree.
bvh *build_bvh(const shape *shapes, long count);
/// Spawns.
void destroy_bvh(bvh *tree);
/// Checks that boxes hold what they should, and measures. Spawns.
bvh_size measure_bvh(const bvh *tree);

/// What the ray meets first, not nearer than `near`.
hit first_hit(const bvh *tree, ray r, double near);
/// Whether it meets anything before `far`.
bool is_blocked(const bvh *tree, ray r, double near, double far);

#endif
