//===- render.c - From a scene to a picture -----------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "render.h"

#include <cilk/cilk.h>

enum { TileSide = 8 };

typedef struct {
  const scene *scene;
  quality quality;
  image out;
} job;

/* A part of the picture, in pixels. */
typedef struct {
  int left, top, right, bottom;
} area;

typedef struct {
  colour colour;
  long rays;
} sample;

ray eye_ray(const scene *s, double x, double y, double aspect) {
  const camera *c = &s->camera;
  vector sideways = scale(2 * x - 1, c->right);
  vector upwards = scale((1 - 2 * y) * aspect, c->up);
  ray r = {c->eye, unit(plus(c->forward, plus(sideways, upwards)))};
  return r;
}

static colour look(const job *j, double x, double y) {
  double width = j->out.width, height = j->out.height;
  ray r = eye_ray(j->scene, x / width, y / height, height / width);
  return trace(j->scene, r, j->quality.depth);
}

static double contrast_of(const colour *corner) {
  vector low = corner[0], high = corner[0];
  for (int i = 1; i < 4; ++i) {
    low = lower(low, corner[i]);
    high = upper(high, corner[i]);
  }
  vector d = minus(high, low);
  return fmax(d.x, fmax(d.y, d.z));
}

/* A square of the picture: its corners' mean, or that of its quarters. */
static sample refine(const job *j, double x, double y, double side, int left) {
  colour corner[4];
  for (int i = 0; i < 4; ++i)
    corner[i] = cilk_spawn look(j, x + side * (0.25 + 0.5 * (i & 1)),
                                y + side * (0.25 + 0.5 * (i >> 1)));
  cilk_sync;
  sample sum = {{0, 0, 0}, 4};
  if (left > 0 && contrast_of(corner) > j->quality.contrast) {
    sample quarter[4];
    for (int i = 0; i < 4; ++i)
      quarter[i] =
          cilk_spawn refine(j, x + side / 2 * (i & 1), y + side / 2 * (i >> 1),
                            side / 2, left - 1);
    cilk_sync;
    for (int i = 0; i < 4; ++i) {
      sum.colour = plus(sum.colour, scale(0.25, quarter[i].colour));
      sum.rays += quarter[i].rays;
    }
    return sum;
  }
  for (int i = 0; i < 4; ++i)
    sum.colour = plus(sum.colour, scale(0.25, corner[i]));
  return sum;
}

static long render_pixel(const job *j, int x, int y) {
  sample found = refine(j, x, y, 1, j->quality.refinement);
  *pixel_of(j->out, x, y) = found.colour;
  return found.rays;
}

static long render_area(const job *j, area a) {
  int width = a.right - a.left, height = a.bottom - a.top;
  long rays = 0;
  if (width > TileSide || height > TileSide) {
    area first = a, second = a;
    if (width > height)
      first.right = second.left = a.left + width / 2;
    else
      first.bottom = second.top = a.top + height / 2;
    rays += cilk_spawn render_area(j, first);
    rays += cilk_spawn render_area(j, second);
    cilk_sync;
    return rays;
  }
  for (int y = a.top; y < a.bottom; ++y)
    for (int x = a.left; x < a.right; ++x)
      rays += cilk_spawn render_pixel(j, x, y);
  cilk_sync;
  return rays;
}

long render(const scene *s, quality q, image out) {
  job j = {s, q, out};
  area all = {0, 0, out.width, out.height};
  return render_area(&j, all);
}
