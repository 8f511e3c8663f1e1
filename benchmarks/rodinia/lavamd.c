//===- lavamd.c - Particles in boxes ------------------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each particle of `kernel_gpu_cuda` meets all those in its box and the up to
// 26 around: potentials and forces fall off as exp(-(alpha r)^2). The reference
// handles each pair once.
//
//===----------------------------------------------------------------------===//
// ARGS: quick
// LIBS: -lm
// SANITIZE: yes

#include "rodinia.h"

enum { PerBox = 100 };

static const float alpha = 0.5f;

/* Charge or potential, and place or force. */
typedef struct {
  float v, x, y, z;
} particle;

/* What the second does to the first, added to `sum`. */
static inline particle meet(particle sum, particle own, particle other) {
  float x = own.x - other.x, y = own.y - other.y, z = own.z - other.z;
  float fall = exponential(-alpha * alpha * (x * x + y * y + z * z));
  float force = 2 * other.v * fall;
  return (particle){sum.v + other.v * fall, sum.x + force * x,
                    sum.y + force * y, sum.z + force * z};
}

#ifndef RODINIA_GROUPS
static void kernel_gpu_cuda(const particle *particles, particle *results,
                            int boxes) {
  cilk_for (int i = 0; i < boxes * boxes * boxes * PerBox; ++i) {
    int box = i / PerBox;
    int x = box % boxes, y = box / boxes % boxes, z = box / boxes / boxes;
    particle own = particles[i], sum = {0};
    for (int side = 0; side < 27; ++side) {
      int nx = x + side % 3 - 1, ny = y + side / 3 % 3 - 1,
          nz = z + side / 9 - 1;
      if (nx < 0 || nx >= boxes || ny < 0 || ny >= boxes || nz < 0 ||
          nz >= boxes)
        continue;
      const particle *others =
          particles + ((nz * boxes + ny) * boxes + nx) * PerBox;
      for (int j = 0; j < PerBox; ++j)
        sum = meet(sum, own, others[j]);
    }
    results[i] = sum;
  }
}
#endif

/* Both sides of each pair of two boxes, or of one (a == b). */
static void meet_boxes(const particle *a, const particle *b, particle *on_a,
                       particle *on_b) {
  for (int i = 0; i < PerBox; ++i)
    for (int j = a == b ? i : 0; j < PerBox; ++j) {
      float x = a[i].x - b[j].x, y = a[i].y - b[j].y, z = a[i].z - b[j].z;
      float fall = expf(-alpha * alpha * (x * x + y * y + z * z));
      on_a[i].v += b[j].v * fall;
      on_a[i].x += 2 * b[j].v * fall * x;
      on_a[i].y += 2 * b[j].v * fall * y;
      on_a[i].z += 2 * b[j].v * fall * z;
      if (&a[i] == &b[j])
        continue;
      on_b[j].v += a[i].v * fall;
      on_b[j].x -= 2 * a[i].v * fall * x;
      on_b[j].y -= 2 * a[i].v * fall * y;
      on_b[j].z -= 2 * a[i].v * fall * z;
    }
}

static void reference(const particle *particles, particle *results, int boxes) {
  int count = boxes * boxes * boxes;
  for (int a = 0; a < count; ++a)
    for (int b = a; b < count; ++b)
      if (abs(a % boxes - b % boxes) <= 1 &&
          abs(a / boxes % boxes - b / boxes % boxes) <= 1 &&
          abs(a / boxes / boxes - b / boxes / boxes) <= 1)
        meet_boxes(particles + a * PerBox, particles + b * PerBox,
                   results + a * PerBox, results + b * PerBox);
}

static particle *random_particles(int boxes) {
  int count = boxes * boxes * boxes * PerBox;
  particle *particles = allocate(count, sizeof(particle));
  for (int i = 0; i < count; ++i) {
    int box = i / PerBox;
    particles[i].v = 0.1f + uniform(1, i);
    particles[i].x = (float)(box % boxes) + uniform(2, i);
    particles[i].y = (float)(box / boxes % boxes) + uniform(3, i);
    particles[i].z = (float)(box / boxes / boxes) + uniform(4, i);
  }
  return particles;
}

#ifndef RODINIA_GROUPS
int main(int argc, char **argv) {
  int boxes = problem_size(argc, argv, 10, 2, 1, 100);
  int count = boxes * boxes * boxes * PerBox;
  particle *particles = random_particles(boxes);
  particle *results = allocate(count, sizeof(particle));
  particle *expected = allocate(count, sizeof(particle));
  kernel_gpu_cuda(particles, results, boxes);
  reference(particles, expected, boxes);
  /* Forces of thousands cancel each other. */
  check_floats("results", &results->v, &expected->v, (size_t)count * 4, 2e-3f);
  uint64_t sum = checksum(results, count * sizeof(particle));
  free(particles), free(results), free(expected);
  return report("lavamd", boxes, sum);
}
#endif
