//===- material.c - How surfaces send light back ------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "scene.h"

#include <cilk/cilk.h>
#include <string.h>

static const double Lift = 1e-6;

/* A ray from the place, on the side to which `along` points. */
static ray leaving(const hit *h, vector along) {
  double side = dot(along, h->normal) > 0 ? Lift : -Lift;
  ray r = {plus(h->place, scale(side, h->normal)), unit(along)};
  return r;
}

static colour matte(const scene *s, const material *m, const hit *h, ray r,
                    int depth) {
  (void)r, (void)depth;
  colour light = cilk_spawn gather(s, h);
  colour own = cilk_spawn m->texture.paint(&m->texture, h->place);
  cilk_sync;
  return filter(own, light);
}

static colour mirror(const scene *s, const material *m, const hit *h, ray r,
                     int depth) {
  if (depth == 0)
    return m->texture.first;
  colour seen = {0, 0, 0}, own = {0, 0, 0};
  seen =
      cilk_spawn trace(s, leaving(h, mirrored(r.along, h->normal)), depth - 1);
  if (m->share < 1)
    own = cilk_spawn matte(s, m, h, r, depth);
  cilk_sync;
  return plus(scale(m->share, filter(seen, m->texture.first)),
              scale(1 - m->share, own));
}

static colour glass(const scene *s, const material *m, const hit *h, ray r,
                    int depth) {
  if (depth == 0)
    return m->texture.first;
  double ratio = h->inside ? m->index : 1 / m->index;
  double facing = -dot(r.along, h->normal);
  double left = 1 - ratio * ratio * (1 - facing * facing);
  vector mirror_way = mirrored(r.along, h->normal);
  if (left < 0) /* all of it is mirrored */
    return trace(s, leaving(h, mirror_way), depth - 1);
  vector through = plus(scale(ratio, r.along),
                        scale(ratio * facing - sqrt(left), h->normal));
  double head_on = pow((1 - m->index) / (1 + m->index), 2);
  double share = head_on + (1 - head_on) * pow(1 - facing, 5);
  colour part[2] = {{0, 0, 0}, {0, 0, 0}};
  part[0] = cilk_spawn trace(s, leaving(h, through), depth - 1);
  if (share > 0.02)
    part[1] = cilk_spawn trace(s, leaving(h, mirror_way), depth - 1);
  cilk_sync;
  return filter(m->texture.first, mix(share, part[0], part[1]));
}

static colour glow(const scene *s, const material *m, const hit *h, ray r,
                   int depth) {
  (void)s, (void)r, (void)depth;
  return m->texture.paint(&m->texture, h->place);
}

static colour layered(const scene *s, const material *m, const hit *h, ray r,
                      int depth) {
  colour part[2];
  for (int i = 0; i < 2; ++i) {
    const material *layer = &s->materials[m->layers[i]];
    part[i] = cilk_spawn layer->shade(s, layer, h, r, depth);
  }
  cilk_sync;
  return mix(1 - m->share, part[0], part[1]);
}

shader *find_shader(const char *name) {
  static const struct {
    const char *name;
    shader *shade;
  } shaders[] = {{"matte", matte},
                 {"mirror", mirror},
                 {"glass", glass},
                 {"glow", glow},
                 {"layered", layered}};
  for (size_t i = 0; i < sizeof shaders / sizeof *shaders; ++i)
    if (strcmp(shaders[i].name, name) == 0)
      return shaders[i].shade;
  return NULL;
}
