//===- render.h - From a scene to a picture -----------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef RAYTRACER_RENDER_H
#define RAYTRACER_RENDER_H

#include "image.h"
#include "scene.h"

typedef struct {
  int depth;       /* of mirrors in mirrors */
  int refinement;  /* how often a pixel may be quartered */
  double contrast; /* that is worth it */
} quality;

/// Renders the scene; returns the number of rays from the eye. Spawns.
long render(const scene *s, quality q, image out);

/// The ray from the eye through a place of the picture; (0, 0) is its upper
/// left and (1, 1) its lower right.
ray eye_ray(const scene *s, double x, double y, double aspect);

#endif
