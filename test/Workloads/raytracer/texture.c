//===- texture.c - What surfaces are painted with -----------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "noise.h"
#include "scene.h"

#include <cilk/cilk.h>
#include <string.h>

static colour plain(const texture *t, vector place) {
  (void)place;
  return t->first;
}

static colour checks(const texture *t, vector place) {
  double sum = floor(place.x / t->size) + floor(place.y / t->size + 1e-6) +
               floor(place.z / t->size);
  return fmod(sum, 2) == 0 ? t->first : t->second;
}

static colour marble(const texture *t, vector place) {
  double rough = turbulence(scale(1 / t->size, place), 5, 4);
  double wave = 0.5 + 0.5 * sin(place.x / t->size + 4 * rough);
  return mix(wave, t->first, t->second);
}

static colour speckles(const texture *t, vector place) {
  double coarse = cilk_spawn turbulence(scale(1 / t->size, place), 11, 2);
  double fine = cilk_spawn turbulence(scale(8 / t->size, place), 13, 3);
  cilk_sync;
  return coarse * fine > 0.35 ? t->second : t->first;
}

painter *find_painter(const char *name) {
  static const struct {
    const char *name;
    painter *paint;
  } painters[] = {{"plain", plain},
                  {"checks", checks},
                  {"marble", marble},
                  {"speckles", speckles}};
  for (size_t i = 0; i < sizeof painters / sizeof *painters; ++i)
    if (strcmp(painters[i].name, name) == 0)
      return painters[i].paint;
  return NULL;
}
