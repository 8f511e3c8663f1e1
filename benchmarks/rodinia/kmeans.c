//===- kmeans.c - Clustering by means ------------------------------*- C
//-*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `invert_mapping` transposes the points, so that neighbouring threads read
// neighbouring words; `nearest_cluster` assigns each point to a centre. The
// means are computed serially, as the points of a cluster would race.
//
//===----------------------------------------------------------------------===//
// ARGS: quick
// LIBS: -lm
// SANITIZE: yes

#include "rodinia.h"

enum { Clusters = 5, Features = 34, Rounds = 4 };

static void invert_mapping(const float *points, float *inverted, int count) {
  cilk_for (int p = 0; p < count; ++p)
    for (int f = 0; f < Features; ++f)
      inverted[(long)f * count + p] = points[(long)p * Features + f];
}

static void nearest_cluster(const float *inverted, const float *centres,
                            int *membership, int count) {
  cilk_for (int p = 0; p < count; ++p) {
    float best = INFINITY;
    int nearest = 0;
    for (int c = 0; c < Clusters; ++c) {
      float distance = 0;
      for (int f = 0; f < Features; ++f) {
        float d = inverted[(long)f * count + p] - centres[c * Features + f];
        distance += d * d;
      }
      if (distance < best) {
        best = distance;
        nearest = c;
      }
    }
    membership[p] = nearest;
  }
}

static void move_centres(const float *points, const int *membership,
                         float *centres, int count) {
  int members[Clusters] = {0};
  float sums[Clusters * Features] = {0};
  for (int p = 0; p < count; ++p) {
    ++members[membership[p]];
    for (int f = 0; f < Features; ++f)
      sums[membership[p] * Features + f] += points[(long)p * Features + f];
  }
  for (int c = 0; c < Clusters; ++c)
    for (int f = 0; f < Features && members[c]; ++f)
      centres[c * Features + f] = sums[c * Features + f] / (float)members[c];
}

static void reference(const float *points, const float *centres,
                      int *membership, int count) {
  float distances[Clusters];
  for (int p = 0; p < count; ++p) {
    membership[p] = 0;
    for (int c = 0; c < Clusters; ++c) {
      distances[c] = 0;
      for (int f = 0; f < Features; ++f) {
        float d = points[(long)p * Features + f] - centres[c * Features + f];
        distances[c] += d * d;
      }
      if (distances[c] < distances[membership[p]])
        membership[p] = c;
    }
  }
}

int main(int argc, char **argv) {
  int count = problem_size(argc, argv, 494020, 1000, Clusters, 10000000);
  size_t size = (size_t)count * Features;
  float *points = random_floats(1, size, 0, 1);
  float *inverted = allocate(size, sizeof(float));
  float centres[Clusters * Features], expected_centres[Clusters * Features];
  memcpy(centres, points, sizeof centres);
  memcpy(expected_centres, points, sizeof centres);
  int *membership = allocate(count, sizeof(int));
  int *expected = allocate(count, sizeof(int));
  invert_mapping(points, inverted, count);
  for (int round = 0; round < Rounds; ++round) {
    nearest_cluster(inverted, centres, membership, count);
    move_centres(points, membership, centres, count);
    reference(points, expected_centres, expected, count);
    move_centres(points, expected, expected_centres, count);
  }
  check_ints("membership", membership, expected, count);
  check_floats("centres", centres, expected_centres, Clusters * Features, 0);
  uint64_t sum = checksum(membership, count * sizeof(int));
  free(points), free(inverted), free(membership), free(expected);
  return report("kmeans", count, sum);
}
