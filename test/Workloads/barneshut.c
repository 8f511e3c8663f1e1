//===- barneshut.c - Gravity by an octree -------------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In each time step the tree of cells is built over the bodies by spawns, one
// for each octant, walked for each body, and freed; bodies are moved between
// the syncs. Forces are compared with the sum over all pairs, in the tolerance
// that the opening angle leaves; with angle 0 the walk visits every body.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// BENCH-ARGS: 3000 4
// LIBS: -lm
// VGIW-ARGS: 60 2

#include "../Support/check.h"
#include "../Support/stopwatch.h"
#include <cilk/cilk.h>
#include <math.h>
#include <string.h>

enum { LeafBodies = 4, MaxDepth = 24, Band = 16 };

typedef struct {
  double x, y, z;
} vector;

typedef struct {
  vector place, speed, pull;
  double mass;
} body;

typedef struct cell {
  vector middle; /* of its mass */
  double mass, side;
  struct cell *octant[8];
  body **bodies; /* a leaf's; in the order in which they were given */
  long count;
} cell;

static body *bodies;
static long body_count;
static double opening; /* a cell is one point if side < opening * distance */

static vector plus(vector a, vector b) {
  return (vector){a.x + b.x, a.y + b.y, a.z + b.z};
}
static vector minus(vector a, vector b) {
  return (vector){a.x - b.x, a.y - b.y, a.z - b.z};
}
static vector times(double k, vector a) {
  return (vector){k * a.x, k * a.y, k * a.z};
}
static double dot(vector a, vector b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

static int octant_of(vector place, vector centre) {
  return (place.x >= centre.x) | (place.y >= centre.y) << 1 |
         (place.z >= centre.z) << 2;
}

static vector octant_centre(vector centre, double side, int i) {
  double d = side / 4;
  return plus(centre, (vector){i & 1 ? d : -d, i & 2 ? d : -d, i & 4 ? d : -d});
}

/* Groups the list by octant, in place of the list; start[i] is where octant i
   begins. */
static void group(body **list, long count, vector centre, long start[9]) {
  body **copy = malloc(count * sizeof *copy);
  CHECK(copy);
  memcpy(copy, list, count * sizeof *copy);
  memset(start, 0, 9 * sizeof *start);
  for (long i = 0; i < count; ++i)
    ++start[octant_of(copy[i]->place, centre) + 1];
  for (int i = 0; i < 8; ++i)
    start[i + 1] += start[i];
  long next[8];
  memcpy(next, start, sizeof next);
  for (long i = 0; i < count; ++i)
    list[next[octant_of(copy[i]->place, centre)]++] = copy[i];
  free(copy);
}

static cell *build(body **list, long count, vector centre, double side,
                   int depth) {
  if (count == 0)
    return NULL;
  cell *made = calloc(1, sizeof *made);
  CHECK(made);
  made->side = side;
  made->count = count;
  vector moment = {0, 0, 0};
  if (count <= LeafBodies || depth == MaxDepth) {
    made->bodies = list;
    for (long i = 0; i < count; ++i) {
      made->mass += list[i]->mass;
      moment = plus(moment, times(list[i]->mass, list[i]->place));
    }
  } else {
    long start[9];
    group(list, count, centre, start);
    for (int i = 0; i < 8; ++i)
      made->octant[i] =
          cilk_spawn build(list + start[i], start[i + 1] - start[i],
                           octant_centre(centre, side, i), side / 2, depth + 1);
    cilk_sync;
    for (int i = 0; i < 8; ++i) {
      const cell *part = made->octant[i];
      if (!part)
        continue;
      made->mass += part->mass;
      moment = plus(moment, times(part->mass, part->middle));
    }
  }
  made->middle = times(1 / made->mass, moment);
  return made;
}

static void destroy(cell *tree) {
  for (int i = 0; i < 8; ++i)
    if (tree->octant[i])
      cilk_spawn destroy(tree->octant[i]);
  cilk_sync;
  free(tree);
}

static vector pull_of(double mass, vector offset) {
  double squared = dot(offset, offset) + 1e-4;
  return times(mass / (squared * sqrt(squared)), offset);
}

static vector pull_at(const cell *tree, const body *on) {
  vector offset = minus(tree->middle, on->place), sum = {0, 0, 0};
  if (tree->side * tree->side < opening * opening * dot(offset, offset))
    return pull_of(tree->mass, offset);
  if (tree->bodies) {
    for (long i = 0; i < tree->count; ++i)
      if (tree->bodies[i] != on)
        sum = plus(sum, pull_of(tree->bodies[i]->mass,
                                minus(tree->bodies[i]->place, on->place)));
    return sum;
  }
  /* Near the root an octant is worth a task. */
  if (tree->count > body_count / 16) {
    vector part[8];
    memset(part, 0, sizeof part);
    for (int i = 0; i < 8; ++i)
      if (tree->octant[i])
        part[i] = cilk_spawn pull_at(tree->octant[i], on);
    cilk_sync;
    for (int i = 0; i < 8; ++i)
      sum = plus(sum, part[i]);
    return sum;
  }
  for (int i = 0; i < 8; ++i)
    if (tree->octant[i])
      sum = plus(sum, pull_at(tree->octant[i], on));
  return sum;
}

static void pull_range(const cell *tree, long first, long last) {
  if (last - first > Band) {
    long middle = first + (last - first) / 2;
    cilk_spawn pull_range(tree, first, middle);
    pull_range(tree, middle, last);
    return;
  }
  for (long i = first; i < last; ++i)
    bodies[i].pull = cilk_spawn pull_at(tree, &bodies[i]);
}

static void find_pulls(body **list) {
  double reach = 0;
  for (long i = 0; i < body_count; ++i) {
    vector p = bodies[i].place;
    reach = fmax(reach, fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z))));
    list[i] = &bodies[i];
  }
  cell *tree = build(list, body_count, (vector){0, 0, 0}, 2.001 * reach, 0);
  pull_range(tree, 0, body_count);
  destroy(tree);
}

/* The mean error of the bodies' pulls, relative to the mean pull. */
static double error_of_pulls(void) {
  double errors = 0, pulls = 0;
  for (long i = 0; i < body_count; ++i) {
    vector sum = {0, 0, 0};
    for (long j = 0; j < body_count; ++j)
      if (j != i)
        sum = plus(sum, pull_of(bodies[j].mass,
                                minus(bodies[j].place, bodies[i].place)));
    vector error = minus(bodies[i].pull, sum);
    errors += sqrt(dot(error, error));
    pulls += sqrt(dot(sum, sum));
  }
  return errors / pulls;
}

static double uniform(uint64_t x) {
  return (double)(scramble(x) >> 11) / (double)(1ull << 53);
}

int main(int argc, char **argv) {
  body_count = argument(argc, argv, 1, 600);
  long steps = argument(argc, argv, 2, 4);
  bodies = calloc(body_count, sizeof *bodies);
  body **list = calloc(body_count, sizeof *list);
  CHECK(bodies && list);
  for (long i = 0; i < body_count; ++i) {
    /* Denser towards the middle. */
    double radius = pow(uniform(4 * i), 2), turn = 6.28 * uniform(4 * i + 1);
    double height = 2 * uniform(4 * i + 2) - 1,
           flat = sqrt(1 - height * height);
    bodies[i].place =
        times(radius, (vector){flat * cos(turn), flat * sin(turn), height});
    bodies[i].mass = 0.5 + uniform(4 * i + 3);
  }
  find_pulls(list);
  CHECK(error_of_pulls() < 1e-12);
  opening = 0.4;
  find_pulls(list);
  CHECK(body_count > 4000 || error_of_pulls() < 0.02);
  stopwatch watch = stopwatch_start();
  for (long step = 0; step < steps; ++step) {
    for (long i = 0; i < body_count; ++i) {
      bodies[i].speed = plus(bodies[i].speed, times(1e-5, bodies[i].pull));
      bodies[i].place = plus(bodies[i].place, times(1e-2, bodies[i].speed));
    }
    find_pulls(list);
  }
  stopwatch_stop(watch);
  CHECK(body_count > 4000 || error_of_pulls() < 0.02);
  printf("barneshut %ld, %ld steps: checksum %016llx\n", body_count, steps,
         (unsigned long long)checksum(bodies, body_count * sizeof *bodies));
  free(list);
  free(bodies);
  return 0;
}
