//===- scene.h - What is to be seen at one moment -----------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef RAYTRACER_SCENE_H
#define RAYTRACER_SCENE_H

#include "bvh.h"
#include "document.h"

typedef struct {
  vector eye, right, up, forward; /* right and up as long as half the picture */
} camera;

typedef struct material material;
typedef struct scene scene;
typedef struct texture texture;

/// The colour of a texture at a place; spawns.
typedef colour painter(const texture *t, vector place);

struct texture {
  painter *paint;
  colour first, second;
  double size;
};

/// The light that a surface sends back along the ray; spawns.
typedef colour shader(const scene *s, const material *m, const hit *h, ray r,
                      int depth);

struct material {
  const char *name; /* the document's */
  shader *shade;
  texture texture;
  double share;  /* of the mirror or of the first layer */
  double index;  /* of refraction */
  int layers[2]; /* other materials */
};

typedef struct {
  vector centre;
  double radius; /* 0 for a point */
  colour power;
  int samples;
} light;

struct scene {
  camera camera;
  colour sky;
  material *materials;
  int material_count;
  light *lights;
  int light_count;
  shape_list shapes;
  bvh *tree;
};

/// The scene at one moment, or null after a problem. It uses the document's
/// names. Spawns.
scene *make_scene(const document *d, double time, problem *p);
/// Spawns.
void destroy_scene(scene *s);

/// A painter or shader by its name; null if there is none.
painter *find_painter(const char *name);
shader *find_shader(const char *name);

/// The light that comes against the ray; spawns.
colour trace(const scene *s, ray r, int depth);
/// The light that falls on a matte place; spawns.
colour gather(const scene *s, const hit *h);

#endif
