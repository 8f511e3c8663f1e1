//===- particlefilter-layout.c - A target in a film ---------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// particlefilter.c with the data and the steps of Rodinia. A film of noisy
// images shows a bright disc that moves. A particle is a guess of its centre, in
// two arrays of doubles. It walks at random, and is weighed by the pixels of the
// disc around it. Resampling is parallel, too: each particle looks for the first
// one at which the weights have added up to its target.
//
//===----------------------------------------------------------------------===//
// ARGS: quick
// LIBS: -lm
// SANITIZE: yes

#include "rodinia.h"

enum { Frames = 10, Side = 128, Radius = 5, Dark = 100, Bright = 228 };

typedef struct {
  int count, x[4 * Radius * Radius], y[4 * Radius * Radius];
} disc;

static disc pixels_of_disc(void) {
  disc pixels = {0};
  for (int x = -Radius; x <= Radius; ++x)
    for (int y = -Radius; y <= Radius; ++y)
      if (x * x + y * y < Radius * Radius) {
        pixels.x[pixels.count] = x;
        pixels.y[pixels.count++] = y;
      }
  return pixels;
}

/* The disc's centre in a frame. */
static int centre_x(int frame) { return Side / 2 + frame; }
static int centre_y(int frame) { return Side / 2 - 2 * frame; }

static unsigned char *film(void) {
  unsigned char *images = allocate((size_t)Frames * Side * Side, 1);
  for (int frame = 0; frame < Frames; ++frame)
    for (int x = 0; x < Side; ++x)
      for (int y = 0; y < Side; ++y) {
        int dx = x - centre_x(frame), dy = y - centre_y(frame);
        int isBright = dx * dx + dy * dy < Radius * Radius;
        int pixel = ((size_t)frame * Side + x) * Side + y;
        int noise = uniform_int(1, pixel, 21) - 10;
        images[pixel] = (unsigned char)((isBright ? Bright : Dark) + noise);
      }
  return images;
}

/* The next number of a particle's own sequence, in [0, 1). */
static inline double next_number(int *seed) {
  *seed = (int)(1103515245u * (uint32_t)*seed + 12345) & 0x7fffffff;
  return *seed * 0x1p-31;
}

/* About normally distributed: mean 0, deviation 1. */
static inline double next_step(int *seed) {
  double sum = 0;
  for (int i = 0; i < 12; ++i)
    sum += next_number(seed);
  return sum - 6;
}

/* Walks, and weighs by pixels: how much nearer they are to bright than to dark.
   A pixel outside of the film counts as the first one. */
static void likelihood_kernel(double *x, double *y, const double *from_x,
                              const double *from_y, double *weights, int *seeds,
                              const unsigned char *images, const disc *pixels,
                              int count, int frame) {
  cilk_for (int i = 0; i < count; ++i) {
    int seed = seeds[i];
    double walked_x = from_x[i] + 1 + 2 * next_step(&seed);
    double walked_y = from_y[i] - 2 + 2 * next_step(&seed);
    seeds[i] = seed;
    x[i] = walked_x;
    y[i] = walked_y;
    int column = (int)floor(walked_x + 0.5), row = (int)floor(walked_y + 0.5);
    double sum = 0;
    for (int j = 0; j < pixels->count; ++j) {
      int pixel =
          (frame * Side + column + pixels->x[j]) * Side + row + pixels->y[j];
      if (pixel < 0 || pixel >= Frames * Side * Side)
        pixel = 0;
      double dark = images[pixel] - Dark, bright = images[pixel] - Bright;
      sum += (dark * dark - bright * bright) / 50;
    }
    float likelihood = fminf((float)(sum / pixels->count), 80);
    weights[i] *= exponential(fmaxf(likelihood, -80));
  }
}

/* Each thread adds up a part, as a group of 512 does in Rodinia. */
static double sum_kernel(const double *weights, double *sums, int count) {
  enum { Part = 512 };
  int parts = (count + Part - 1) / Part;
  cilk_for (int part = 0; part < parts; ++part) {
    double sum = 0;
    for (int i = part * Part; i < count && i < (part + 1) * Part; ++i)
      sum += weights[i];
    sums[part] = sum;
  }
  double all = 0;
  for (int part = 0; part < parts; ++part)
    all += sums[part];
  return all;
}

static void normalize_weights_kernel(double *weights, double *targets,
                                     int count, double sum, double first) {
  cilk_for (int i = 0; i < count; ++i) {
    weights[i] /= sum;
    targets[i] = (first + i) / count;
  }
}

/* Particle i becomes the first one at which the weights reach target i. */
static void find_index_kernel(const double *x, const double *y,
                              double *chosen_x, double *chosen_y,
                              const double *cumulated, const double *targets,
                              double *weights, int count) {
  cilk_for (int i = 0; i < count; ++i) {
    int from = 0;
    while (from < count - 1 && cumulated[from] < targets[i])
      ++from;
    chosen_x[i] = x[from];
    chosen_y[i] = y[from];
    weights[i] = 1.0 / count;
  }
}

int main(int argc, char **argv) {
  int count = problem_size(argc, argv, 1000, 200, 16, 1000000);
  unsigned char *images = film();
  disc *pixels = allocate(1, sizeof *pixels);
  *pixels = pixels_of_disc();
  double *numbers[8];
  for (int i = 0; i < 8; ++i)
    numbers[i] = allocate(count, sizeof(double));
  double *x = numbers[0], *y = numbers[1], *from_x = numbers[2],
         *from_y = numbers[3], *weights = numbers[4], *targets = numbers[5],
         *cumulated = numbers[6], *sums = numbers[7];
  int *seeds = allocate(count, sizeof(int));
  for (int i = 0; i < count; ++i) {
    from_x[i] = centre_x(0);
    from_y[i] = centre_y(0);
    weights[i] = 1.0 / count;
    seeds[i] = uniform_int(2, i, 0x7fffffff);
  }
  uint64_t sum = 0;
  for (int frame = 1; frame < Frames; ++frame) {
    likelihood_kernel(x, y, from_x, from_y, weights, seeds, images, pixels,
                      count, frame);
    double all = sum_kernel(weights, sums, count);
    normalize_weights_kernel(weights, targets, count, all, uniform(3, frame));
    double estimate_x = 0, estimate_y = 0, total = 0;
    for (int i = 0; i < count; ++i) {
      cumulated[i] = total += weights[i];
      estimate_x += x[i] * weights[i];
      estimate_y += y[i] * weights[i];
    }
    CHECK(fabs(total - 1) < 1e-9);
    /* The estimate follows the disc. */
    CHECK(fabs(estimate_x - centre_x(frame)) < 2 &&
          fabs(estimate_y - centre_y(frame)) < 2);
    find_index_kernel(x, y, from_x, from_y, cumulated, targets, weights, count);
    for (int i = 1; i < count; ++i)
      CHECK(targets[i - 1] <= targets[i] && targets[i] <= 1);
    sum ^= checksum(from_x, count * sizeof(double)) +
           checksum(from_y, count * sizeof(double)) + frame;
  }
  for (int i = 0; i < 8; ++i)
    free(numbers[i]);
  free(images), free(pixels), free(seeds);
  return report("particlefilter", count, sum);
}
