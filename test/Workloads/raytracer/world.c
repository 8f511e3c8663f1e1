//===- world.c - Balls that move ----------------------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "world.h"

#include "../../Support/check.h"
#include "memory.h"
#include "noise.h"
#include <cilk/cilk.h>

enum { CellsInRow = 8, Cells = CellsInRow * CellsInRow * CellsInRow, Band = 8 };

static const double Stiffness = 400;

/* All of this changes between syncs only. */
static particle *now, *later;
static vector *force;
static long size;
static long first_in_cell[Cells + 1], *by_cell;

static int cell_index(double x) {
  int i = (int)((x + 1) / 2 * CellsInRow);
  return i < 0 ? 0 : i < CellsInRow ? i : CellsInRow - 1;
}

static int cell_of(vector place) {
  return (cell_index(place.z) * CellsInRow + cell_index(place.y)) * CellsInRow +
         cell_index(place.x);
}

void make_world(long count) {
  size = count;
  now = allocate(count, sizeof *now);
  later = allocate(count, sizeof *later);
  force = allocate(count, sizeof *force);
  by_cell = allocate(count, sizeof *by_cell);
  for (long i = 0; i < count; ++i) {
    now[i].place = scale(0.9, in_ball(1, i));
    now[i].speed = in_ball(2, i);
    now[i].radius = 0.04 + 0.07 * uniform(3, i);
    now[i].mass = pow(now[i].radius / 0.1, 3);
  }
}

void destroy_world(void) {
  release(now), release(later), release(force), release(by_cell);
  size = 0;
}

long world_size(void) { return size; }
const particle *world_particle(long index) { return &now[index]; }

static void sort_into_cells(void) {
  long next[Cells] = {0};
  for (long i = 0; i < size; ++i)
    ++next[cell_of(now[i].place)];
  for (int c = 0; c < Cells; ++c) {
    first_in_cell[c + 1] = first_in_cell[c] + next[c];
    next[c] = first_in_cell[c];
  }
  for (long i = 0; i < size; ++i)
    by_cell[next[cell_of(now[i].place)]++] = i;
}

static double squeeze(const particle *a, const particle *b) {
  return a->radius + b->radius - norm(minus(a->place, b->place));
}

static vector push(const particle *on, const particle *from) {
  double depth = squeeze(on, from);
  vector none = {0, 0, 0};
  if (on == from || depth <= 0)
    return none;
  return scale(Stiffness * depth, unit(minus(on->place, from->place)));
}

static double push_of_walls(double x, double radius) {
  return Stiffness * (fmax(0, -1 + radius - x) - fmax(0, x + radius - 1));
}

static vector walls(const particle *p) {
  return make_vector(push_of_walls(p->place.x, p->radius),
                     push_of_walls(p->place.y, p->radius),
                     push_of_walls(p->place.z, p->radius));
}

/* The balls are smaller than cells, so neighbours are in neighbouring ones. */
static vector force_on(long index) {
  const particle *p = &now[index];
  vector sum = walls(p);
  int x = cell_index(p->place.x), y = cell_index(p->place.y),
      z = cell_index(p->place.z);
  for (int k = z - 1; k <= z + 1; ++k)
    for (int j = y - 1; j <= y + 1; ++j)
      for (int i = x - 1; i <= x + 1; ++i) {
        if (i < 0 || j < 0 || k < 0 || i >= CellsInRow || j >= CellsInRow ||
            k >= CellsInRow)
          continue;
        int cell = (k * CellsInRow + j) * CellsInRow + i;
        for (long n = first_in_cell[cell]; n < first_in_cell[cell + 1]; ++n)
          sum = plus(sum, push(p, &now[by_cell[n]]));
      }
  return sum;
}

static void find_forces(long first, long last) {
  if (last - first > Band) {
    long centre = first + (last - first) / 2;
    cilk_spawn find_forces(first, centre);
    cilk_spawn find_forces(centre, last);
    cilk_sync;
    return;
  }
  for (long i = first; i < last; ++i)
    force[i] = force_on(i);
}

static void move_one(long index, double seconds) {
  particle p = now[index];
  p.speed = plus(p.speed, scale(seconds / p.mass, force[index]));
  p.place = plus(p.place, scale(seconds, p.speed));
  later[index] = p;
}

void step_world(int count, double seconds) {
  while (count-- > 0) {
    sort_into_cells();
    find_forces(0, size);
    for (long i = 0; i < size; ++i)
      cilk_spawn move_one(i, seconds);
    cilk_sync;
    particle *swap = now;
    now = later;
    later = swap;
  }
}

static double energy_at_walls(double x, double radius) {
  double low = fmax(0, -1 + radius - x), high = fmax(0, x + radius - 1);
  return Stiffness / 2 * (low * low + high * high);
}

static balance balance_of(long index) {
  const particle *p = &now[index];
  balance b = {scale(p->mass, p->speed), p->mass * dot(p->speed, p->speed) / 2};
  b.energy += energy_at_walls(p->place.x, p->radius) +
              energy_at_walls(p->place.y, p->radius) +
              energy_at_walls(p->place.z, p->radius);
  for (long i = 0; i < index; ++i) {
    double depth = fmax(0, squeeze(p, &now[i]));
    b.energy += Stiffness / 2 * depth * depth;
  }
  return b;
}

balance world_balance(void) {
  balance part[size + 1], sum = {{0, 0, 0}, 0};
  for (long i = 0; i < size; ++i)
    part[i] = cilk_spawn balance_of(i);
  cilk_sync;
  for (long i = 0; i < size; ++i) {
    sum.momentum = plus(sum.momentum, part[i].momentum);
    sum.energy += part[i].energy;
  }
  return sum;
}

void check_world(void) {
  sort_into_cells();
  find_forces(0, size);
  vector total = {0, 0, 0}, of_walls = {0, 0, 0};
  for (long i = 0; i < size; ++i) {
    vector sum = walls(&now[i]);
    for (long k = 0; k < size; ++k)
      sum = plus(sum, push(&now[i], &now[k]));
    CHECK(norm(minus(sum, force[i])) < 1e-9);
    total = plus(total, force[i]);
    of_walls = plus(of_walls, walls(&now[i]));
  }
  /* Balls push each other equally hard. */
  CHECK(norm(minus(total, of_walls)) < 1e-9 * (double)(size + 1));
}
