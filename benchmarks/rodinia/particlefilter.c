//===- particlefilter.c - Where a target probably is --------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Particles are guesses of a moving target's place. Of each,
// `likelihood_kernel` weighs how well it agrees with a noisy observation;
// `normalize_weights_kernel` makes the sum 1 and chooses where the serial
// resampling looks.
//
//===----------------------------------------------------------------------===//
// ARGS: quick
// LIBS: -lm
// SANITIZE: yes

#include "rodinia.h"

enum { Frames = 10 };

typedef struct {
  float x, y;
} place;

static inline float squared_distance(place a, place b) {
  return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
}

/* The random walks of particle and observation are `noise` wide. */
static place moved(place from, uint32_t seed, uint64_t index, float noise) {
  return (place){from.x + 1 + noise * (uniform(seed, 2 * index) - 0.5f),
                 from.y - 2 + noise * (uniform(seed, 2 * index + 1) - 0.5f)};
}

static void likelihood_kernel(const place *particles, float *weights, int count,
                              place seen) {
  cilk_for (int i = 0; i < count; ++i)
    weights[i] = exponential(-fminf(squared_distance(particles[i], seen), 80));
}

static void normalize_weights_kernel(float *weights, float *targets, int count,
                                     float sum, float first) {
  cilk_for (int i = 0; i < count; ++i) {
    weights[i] /= sum;
    targets[i] = (first + (float)i) / (float)count;
  }
}

/* Particle i becomes the one at which the weights have added up to target i. */
static void resample(place *particles, place *chosen, const float *weights,
                     const float *targets, int count) {
  float sum = weights[0];
  for (int i = 0, from = 0; i < count; ++i) {
    while (sum < targets[i] && from < count - 1)
      sum += weights[++from];
    chosen[i] = particles[from];
  }
  memcpy(particles, chosen, count * sizeof(place));
}

/* The normalized weights, in double precision. */
static void reference(const place *particles, float *weights, int count,
                      place seen) {
  double sum = 0;
  for (int i = 0; i < count; ++i)
    sum += exp(-fmin(squared_distance(particles[i], seen), 80));
  for (int i = 0; i < count; ++i)
    weights[i] =
        (float)(exp(-fmin(squared_distance(particles[i], seen), 80)) / sum);
}

int main(int argc, char **argv) {
  int count = problem_size(argc, argv, 1000, 200, 1, 10000000);
  place *particles = allocate(count, sizeof(place));
  place *chosen = allocate(count, sizeof(place)), target = {64, 64};
  float *weights = allocate(count, sizeof(float));
  float *targets = allocate(count, sizeof(float));
  float *expected = allocate(count, sizeof(float));
  uint64_t sum = 0;
  for (int i = 0; i < count; ++i)
    particles[i] = target;
  for (int frame = 0; frame < Frames; ++frame) {
    target = moved(target, 1, frame, 0.5f);
    place seen = {target.x + uniform(2, frame), target.y + uniform(3, frame)};
    for (int i = 0; i < count; ++i)
      particles[i] = moved(particles[i], 4, (uint64_t)frame * count + i, 4);
    likelihood_kernel(particles, weights, count, seen);
    float total = 0;
    for (int i = 0; i < count; ++i)
      total += weights[i];
    normalize_weights_kernel(weights, targets, count, total, uniform(5, frame));
    reference(particles, expected, count, seen);
    for (int i = 0; i < count; ++i)
      CHECK(fabsf(weights[i] - expected[i]) <= 1e-4f * expected[i] + 1e-20f);
    for (int i = 1; i < count; ++i)
      CHECK(targets[i - 1] <= targets[i] && targets[i] <= 1);
    resample(particles, chosen, weights, targets, count);
    sum ^= checksum(weights, count * sizeof(float)) + frame;
  }
  free(particles), free(chosen), free(weights), free(targets), free(expected);
  return report("particlefilter", count, sum);
}
