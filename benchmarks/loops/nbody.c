//===- nbody.c - Gravitation between all pairs of bodies ----------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Structures of doubles; one loop computes the accelerations and another moves
// the bodies.
//
//===----------------------------------------------------------------------===//

#include "loops.h"
#include <math.h>

typedef struct {
  double x, y, z, mass;
  double vx, vy, vz;
  double ax, ay, az;
} body;

static void accelerate(body *bodies, int n) {
  cilk_for (int i = 0; i < n; i++) {
    double ax = 0, ay = 0, az = 0;
    for (int j = 0; j < n; j++) {
      double dx = bodies[j].x - bodies[i].x;
      double dy = bodies[j].y - bodies[i].y;
      double dz = bodies[j].z - bodies[i].z;
      double square = dx * dx + dy * dy + dz * dz + 0.01;
      double strength = bodies[j].mass / (square * sqrt(square));
      ax += strength * dx;
      ay += strength * dy;
      az += strength * dz;
    }
    bodies[i].ax = ax;
    bodies[i].ay = ay;
    bodies[i].az = az;
  }
}

static void move(body *bodies, int n, double dt) {
  cilk_for (int i = 0; i < n; i++) {
    body *b = &bodies[i];
    b->vx += dt * b->ax;
    b->vy += dt * b->ay;
    b->vz += dt * b->az;
    b->x += dt * b->vx;
    b->y += dt * b->vy;
    b->z += dt * b->vz;
  }
}

int main(int argc, char **argv) {
  int n = (int)first_argument(argc, argv, 1500, 20);
  body *bodies = calloc(n, sizeof(body));
  CHECK(bodies);
  for (int i = 0; i < n; i++) {
    bodies[i].x = (double)(scramble(3 * i) % 1000) / 100;
    bodies[i].y = (double)(scramble(3 * i + 1) % 1000) / 100;
    bodies[i].z = (double)(scramble(3 * i + 2) % 1000) / 100;
    bodies[i].mass = 1 + i % 5;
  }

  stopwatch watch = stopwatch_start();
  for (int step = 0; step < 15; step++) {
    accelerate(bodies, n);
    move(bodies, n, 0.001);
  }
  stopwatch_stop(watch);

  report("nbody", bodies, n * sizeof(body));
  free(bodies);
  return 0;
}
