//===- lavamd-groups.c - Particles in boxes, by work-groups -------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// lavamd.c in the structure and data layout of Rodinia's CUDA program: an
// iteration of the outer loop is a thread block for a box, which has the
// particles of a box around in local arrays while its threads meet them.
// Charges are apart from places.
//
//===----------------------------------------------------------------------===//
// ARGS: quick
// LIBS: -lm
// SANITIZE: yes

#define RODINIA_GROUPS
#include "lavamd.c"

/* Charge `v` of a particle is not used. */
static void kernel_gpu_cuda(const particle *particles, const float *charges,
                            particle *results, int boxes) {
  cilk_for (int box = 0; box < boxes * boxes * boxes; ++box) {
    particle own[PerBox], others[PerBox];
    float charge[PerBox];
    int x = box % boxes, y = box / boxes % boxes, z = box / boxes / boxes;
    const particle *home = particles + (long)box * PerBox;
    particle *sums = results + (long)box * PerBox;
    cilk_for (int i = 0; i < PerBox; ++i)
      own[i] = home[i];
    for (int side = 0; side < 27; ++side) {
      int nx = x + side % 3 - 1, ny = y + side / 3 % 3 - 1,
          nz = z + side / 9 - 1;
      if (nx < 0 || nx >= boxes || ny < 0 || ny >= boxes || nz < 0 ||
          nz >= boxes)
        continue;
      long first = (long)((nz * boxes + ny) * boxes + nx) * PerBox;
      const particle *theirs = particles + first;
      const float *their_charges = charges + first;
      cilk_for (int i = 0; i < PerBox; ++i) {
        others[i] = theirs[i];
        charge[i] = their_charges[i];
      }
      cilk_for (int i = 0; i < PerBox; ++i) {
        particle mine = own[i], sum = sums[i];
        for (int j = 0; j < PerBox; ++j) {
          particle other = others[j];
          other.v = charge[j];
          sum = meet(sum, mine, other);
        }
        sums[i] = sum;
      }
    }
  }
}

int main(int argc, char **argv) {
  int boxes = problem_size(argc, argv, 10, 2, 1, 100);
  int count = boxes * boxes * boxes * PerBox;
  particle *particles = random_particles(boxes);
  particle *results = allocate(count, sizeof(particle));
  particle *expected = allocate(count, sizeof(particle));
  float *charges = allocate(count, sizeof(float));
  for (int i = 0; i < count; ++i)
    charges[i] = particles[i].v;
  kernel_gpu_cuda(particles, charges, results, boxes);
  reference(particles, expected, boxes);
  check_floats("results", &results->v, &expected->v, (size_t)count * 4, 2e-3f);
  uint64_t sum = checksum(results, count * sizeof(particle));
  free(particles), free(results), free(expected), free(charges);
  return report("lavamd-groups", boxes, sum);
}
