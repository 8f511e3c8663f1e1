//===- hotspot.c - Temperatures of a chip -----------------------------*- C
//-*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Heat between the cells of a grid, each with its power, and to the air, by
// explicit steps. At the border a cell has no neighbour to exchange with.
//
//===----------------------------------------------------------------------===//
// ARGS: quick
// LIBS: -lm
// SANITIZE: yes

#include "rodinia.h"

enum { Steps = 4 };

/* Step length over heat capacity, and conductances to the sides and the air. */
static const float rate = 0.1f, across = 0.8f, along = 0.7f, upwards = 0.05f;
static const float air = 80;

static void hotspot_kernel(const float *power, const float *now, float *later,
                           int size) {
  cilk_for (int cell = 0; cell < size * size; ++cell) {
    int x = cell % size, y = cell / size;
    float own = now[cell];
    float north = y == 0 ? own : now[cell - size];
    float south = y == size - 1 ? own : now[cell + size];
    float west = x == 0 ? own : now[cell - 1];
    float east = x == size - 1 ? own : now[cell + 1];
    later[cell] =
        own + rate * (power[cell] + (north + south - 2 * own) * along +
                      (west + east - 2 * own) * across + (air - own) * upwards);
  }
}

/* In double precision, by what flows through each side between two cells. */
static void reference(const float *power, float *temperatures, int size) {
  double *flow = allocate((size_t)size * size, sizeof(double));
  for (int step = 0; step < Steps; ++step) {
    for (int c = 0; c < size * size; ++c)
      flow[c] = power[c] + ((double)air - temperatures[c]) * upwards;
    for (int c = 0; c < size * size; ++c) {
      if (c % size) {
        double heat = ((double)temperatures[c - 1] - temperatures[c]) * across;
        flow[c] += heat;
        flow[c - 1] -= heat;
      }
      if (c >= size) {
        double heat =
            ((double)temperatures[c - size] - temperatures[c]) * along;
        flow[c] += heat;
        flow[c - size] -= heat;
      }
    }
    for (int c = 0; c < size * size; ++c)
      temperatures[c] += (float)(rate * flow[c]);
  }
  free(flow);
}

int main(int argc, char **argv) {
  int size = problem_size(argc, argv, 512, 32, 1, 8192);
  size_t count = (size_t)size * size, bytes = count * sizeof(float);
  float *power = random_floats(1, count, 0, 5);
  float *now = random_floats(2, count, 320, 340);
  float *later = allocate(1, bytes), *expected = allocate(1, bytes);
  memcpy(expected, now, bytes);
  for (int step = 0; step < Steps; ++step) {
    hotspot_kernel(power, now, later, size);
    float *before = now;
    now = later;
    later = before;
  }
  reference(power, expected, size);
  check_floats("temperatures", now, expected, count, 1e-5f);
  uint64_t sum = checksum(now, bytes);
  free(power), free(now), free(later), free(expected);
  return report("hotspot", size, sum);
}
