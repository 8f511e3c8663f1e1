//===- nn.c - Nearest neighbours ------------------------------------*- C
//-*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `euclid` computes how far each of many places is from one; the nearest are
// chosen serially.
//
//===----------------------------------------------------------------------===//
// ARGS: quick
// LIBS: -lm
// SANITIZE: yes

#include "rodinia.h"

enum { Neighbours = 5 };

typedef struct {
  float latitude, longitude;
} place;

static void euclid(const place *places, float *distances, int count,
                   float latitude, float longitude) {
  cilk_for (int i = 0; i < count; ++i) {
    float dy = latitude - places[i].latitude;
    float dx = longitude - places[i].longitude;
    distances[i] = sqrtf(dy * dy + dx * dx);
  }
}

static void reference(const place *places, float *distances, int count,
                      float latitude, float longitude) {
  for (int i = 0; i < count; ++i)
    distances[i] = (float)hypot((double)latitude - places[i].latitude,
                                (double)longitude - places[i].longitude);
}

/* The places of the least distances, nearest first. */
static void choose(const float *distances, int count, int *nearest) {
  int found = 0;
  for (int i = 0; i < count; ++i) {
    int at = found;
    while (at > 0 && distances[i] < distances[nearest[at - 1]])
      --at;
    if (at == Neighbours)
      continue;
    if (found < Neighbours)
      ++found;
    memmove(&nearest[at + 1], &nearest[at], (found - at - 1) * sizeof(int));
    nearest[at] = i;
  }
}

int main(int argc, char **argv) {
  int count = problem_size(argc, argv, 42764, 2000, Neighbours, 100000000);
  place *places = allocate(count, sizeof(place));
  for (int i = 0; i < count; ++i)
    places[i] = (place){7 + 63 * uniform(1, i), 10 + 348 * uniform(2, i)};
  float *distances = allocate(count, sizeof(float));
  float *expected = allocate(count, sizeof(float));
  int nearest[Neighbours];
  euclid(places, distances, count, 30, 90);
  reference(places, expected, count, 30, 90);
  check_floats("distances", distances, expected, count, 1e-5f);
  choose(distances, count, nearest);
  uint64_t sum = checksum(distances, count * sizeof(float)) ^
                 checksum(nearest, sizeof nearest);
  free(places), free(distances), free(expected);
  return report("nn", count, sum);
}
