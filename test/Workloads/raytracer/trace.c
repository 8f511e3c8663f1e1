//===- trace.c - Light along rays ---------------------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "noise.h"
#include "scene.h"

#include <alloca.h>
#include <cilk/cilk.h>

static const double Near = 1e-6;

colour trace(const scene *s, ray r, int depth) {
  hit h = first_hit(s->tree, r, Near);
  if (!h.shape)
    return scale(0.6 + 0.4 * r.along.y, s->sky);
  const material *m = &s->materials[h.shape->material];
  colour seen = m->shade(s, m, &h, r, depth);
  return scale(exp(-0.004 * h.distance), seen);
}

/* From one point of a light. */
static colour light_from(const scene *s, const hit *h, vector centre,
                         colour power) {
  vector way = minus(centre, h->place);
  double distance = norm(way);
  double facing = dot(way, h->normal) / distance;
  colour none = {0, 0, 0};
  if (facing <= 0)
    return none;
  ray r = {plus(h->place, scale(Near, h->normal)), scale(1 / distance, way)};
  if (is_blocked(s->tree, r, Near, distance - 2 * Near))
    return none;
  return scale(facing / (1 + 0.02 * distance * distance), power);
}

static colour light_from_all_of(const scene *s, const hit *h, const light *l) {
  colour sum = {0, 0, 0};
  if (l->radius == 0 || l->samples <= 1)
    return light_from(s, h, l->centre, l->power);
  colour *part = alloca(l->samples * sizeof *part);
  for (int i = 0; i < l->samples; ++i) {
    vector centre = plus(l->centre, scale(l->radius, in_ball(23, i)));
    part[i] = cilk_spawn light_from(s, h, centre, l->power);
  }
  cilk_sync;
  for (int i = 0; i < l->samples; ++i)
    sum = plus(sum, part[i]);
  return scale(1.0 / l->samples, sum);
}

/* Light from nowhere in particular, less of it in corners. */
static colour ambient(const scene *s, const hit *h) {
  enum { Ways = 4 };
  vector right = any_normal(h->normal), up = cross(h->normal, right);
  int open = 0;
  for (int i = 0; i < Ways; ++i) {
    double turn = 2 * PI * i / Ways;
    vector along =
        plus(h->normal, plus(scale(cos(turn), right), scale(sin(turn), up)));
    ray r = {plus(h->place, scale(Near, h->normal)), unit(along)};
    open += !is_blocked(s->tree, r, Near, 2);
  }
  return scale(0.3 * open / Ways, s->sky);
}

colour gather(const scene *s, const hit *h) {
  colour part[s->light_count + 1], sum = {0, 0, 0};
  for (int i = 0; i < s->light_count; ++i)
    part[i] = cilk_spawn light_from_all_of(s, h, &s->lights[i]);
  part[s->light_count] = ambient(s, h);
  cilk_sync;
  for (int i = 0; i <= s->light_count; ++i)
    sum = plus(sum, part[i]);
  return sum;
}
