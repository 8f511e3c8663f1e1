//===- seismic.c - Wave equation of fourth order in space ---------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Three static fields of a constant size, rotated by pointer after each step;
// a source in the middle oscillates.
//
//===----------------------------------------------------------------------===//

#include "loops.h"

enum { Height = 480, Width = 640 };

static float fields[3][Height][Width];
static float velocity[Height][Width];

static void step(float (*old)[Width], float (*now)[Width],
                 float (*next)[Width]) {
  cilk_for (int y = 2; y < Height - 2; ++y)
    for (int x = 2; x < Width - 2; ++x) {
      float laplacian = -5.0f * now[y][x];
      laplacian += 1.3333333f * (now[y - 1][x] + now[y + 1][x] + now[y][x - 1] +
                                 now[y][x + 1]);
      laplacian -= 0.0833333f * (now[y - 2][x] + now[y + 2][x] + now[y][x - 2] +
                                 now[y][x + 2]);
      next[y][x] = 2 * now[y][x] - old[y][x] + velocity[y][x] * laplacian;
    }
}

int main(int argc, char **argv) {
  int steps = (int)first_argument(argc, argv, 800, 3);
  for (int y = 0; y < Height; ++y)
    for (int x = 0; x < Width; ++x)
      velocity[y][x] = y < Height / 2 ? 0.2f : 0.3f;

  float (*old)[Width] = fields[0], (*now)[Width] = fields[1];
  float (*next)[Width] = fields[2];
  stopwatch watch = stopwatch_start();
  for (int t = 0; t < steps; ++t) {
    now[Height / 2][Width / 2] += t % 20 < 10 ? 1.0f : -1.0f;
    step(old, now, next);
    float (*free)[Width] = old;
    old = now;
    now = next;
    next = free;
  }
  stopwatch_stop(watch);

  return report("seismic", now, sizeof fields[0]);
}
