//===- streamcluster.c - Clustering by local search ---------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Points are served by open centres, each of which has a price. For one
// candidate after the other, `streamcluster_kernel_compute_cost` computes what
// each point would save; whether it opens, and which then close, is decided
// serially.
//
//===----------------------------------------------------------------------===//
// ARGS: quick
// LIBS: -lm
// SANITIZE: yes

#include "rodinia.h"

enum { Dimensions = 256, Candidates = 12 };

typedef struct {
  int count;
  float *places;   /* Dimensions of each point */
  float *laid_out; /* the same, as `coordinate` says */
  float *weights;
  int *centres; /* which point serves it */
  float *costs; /* at what cost */
} points;

/* Where coordinate d of a point is. */
static inline long coordinate(int count, int point, int d) {
#ifdef RODINIA_LAYOUT
  return (long)d * count + point;
#else
  (void)count;
  return (long)point * Dimensions + d;
#endif
}

/* How much more, or less, each point would cost with the candidate. */
static void streamcluster_kernel_compute_cost(const points *p, int candidate,
                                              float *differences,
                                              char *switches) {
  const float *laid_out = p->laid_out, *weights = p->weights, *costs = p->costs;
  int count = p->count;
  const float *to = laid_out + coordinate(count, candidate, 0);
  cilk_for (int i = 0; i < count; ++i) {
    const float *from = laid_out + coordinate(count, i, 0);
    float distance = 0;
    for (int d = 0; d < Dimensions; ++d) {
      long at = coordinate(count, 0, d);
      distance += (from[at] - to[at]) * (from[at] - to[at]);
    }
    float difference = distance * weights[i] - costs[i];
    differences[i] = difference;
    switches[i] = difference < 0;
  }
}

/* Opens the candidate if that saves more than the price, and closes the centres
   that save less. */
static void decide(points *p, int candidate, const float *differences,
                   const char *switches, float price) {
  float change = price, *closing = allocate(p->count, sizeof(float));
  for (int i = 0; i < p->count; ++i)
    if (switches[i])
      change += differences[i];
    else
      closing[p->centres[i]] += differences[i];
  for (int i = 0; i < p->count; ++i)
    if (p->centres[i] == i && closing[i] < price)
      change += closing[i] - price;
  for (int i = 0; i < p->count && change < 0; ++i)
    closing[i] = closing[i] < price; /* from now on: does it close? */
  for (int i = 0; i < p->count && change < 0; ++i)
    if (switches[i] || closing[p->centres[i]] != 0) {
      p->centres[i] = candidate;
      p->costs[i] += differences[i];
    }
  free(closing);
}

static void reference(const points *p, int candidate, float *differences) {
  for (int i = 0; i < p->count; ++i) {
    double distance = 0;
    for (int d = 0; d < Dimensions; ++d) {
      double way = p->places[(long)i * Dimensions + d];
      way -= p->places[(long)candidate * Dimensions + d];
      distance += way * way;
    }
    differences[i] = (float)(distance * p->weights[i] - p->costs[i]);
  }
}

int main(int argc, char **argv) {
  int count = problem_size(argc, argv, 65536, 200, 1, 10000000);
  size_t size = (size_t)count * Dimensions;
  points p = {count,
              random_floats(1, size, 0, 1),
              allocate(size, sizeof(float)),
              random_floats(2, count, 0.5f, 2),
              allocate(count, sizeof(int)),
              allocate(count, sizeof(float))};
  for (int i = 0; i < count; ++i)
    for (int d = 0; d < Dimensions; ++d)
      p.laid_out[coordinate(count, i, d)] = p.places[(long)i * Dimensions + d];
  float *differences = allocate(count, sizeof(float));
  float *expected = allocate(count, sizeof(float));
  char *switches = allocate(count, 1);
  /* Without cost so far, the differences are the costs of the first centre. */
  streamcluster_kernel_compute_cost(&p, 0, p.costs, switches);
  for (int round = 0; round < Candidates; ++round) {
    int candidate = uniform_int(3, round, count);
    streamcluster_kernel_compute_cost(&p, candidate, differences, switches);
    reference(&p, candidate, expected);
    check_floats("differences", differences, expected, count, 1e-4f);
    for (int i = 0; i < count; ++i)
      CHECK_EQUAL(switches[i], differences[i] < 0);
    decide(&p, candidate, differences, switches, 0.1f * (float)count);
  }
  uint64_t sum = checksum(p.costs, count * sizeof(float)) ^
                 checksum(p.centres, count * sizeof(int));
  free(p.places), free(p.laid_out), free(p.weights), free(p.centres),
      free(p.costs);
  free(differences), free(expected), free(switches);
  return report("streamcluster", count, sum);
}
