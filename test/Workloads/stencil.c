//===- stencil.c - Stencils in one to three dimensions ------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Three grids in time steps of cilk_for: a cellular automaton on a ring (rule
// 90), the game of life on a torus, and a wave in a box. Known answers: the
// automaton draws Pascal's triangle modulo 2, a glider is back in its shape,
// moved, after each four steps, and a standing wave swings as its frequency
// says.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// BENCH-ARGS: 50 80
// LIBS: -lm
// VGIW-ARGS: 10 8

#include "../Support/check.h"
#include "../Support/stopwatch.h"
#include <cilk/cilk.h>
#include <math.h>
#include <string.h>

typedef unsigned char cell;

static void swap(void *a, void *b) {
  void **x = a, **y = b, *kept = *x;
  *x = *y;
  *y = kept;
}

/* A ring of cells, each the sum of its neighbours modulo 2. */
static uint64_t automaton(int steps) {
  int size = 2 * steps + 2;
  cell *now = calloc(size, 1), *later = calloc(size, 1);
  CHECK(now && later);
  now[steps] = 1;
  for (int t = 0; t < steps; ++t) {
    cilk_for (int i = 0; i < size; ++i)
      later[i] = now[(i + size - 1) % size] ^ now[(i + 1) % size];
    swap(&now, &later);
  }
  /* C(steps, k) is odd where k has no bit that steps has not (Lucas). */
  for (int i = 0; i < size; ++i) {
    int k = i / 2, odd = i % 2 == 0 && k <= steps && (k & ~steps) == 0;
    CHECK_EQUAL(now[i], odd);
  }
  uint64_t sum = checksum(now, size);
  free(now), free(later);
  return sum;
}

static int neighbours(const cell *grid, int width, int height, int x, int y) {
  int count = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      if (dx || dy)
        count +=
            grid[(y + dy + height) % height * width + (x + dx + width) % width];
  return count;
}

static uint64_t life(int width, int height, int steps) {
  static const char glider[3][4] = {".#.", "..#", "###"};
  cell *now = calloc(width, height), *later = calloc(width, height);
  CHECK(now && later && width >= 8 && height >= 8 && steps % 4 == 0);
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 3; ++x)
      now[y * width + x] = glider[y][x] == '#';
  for (int t = 0; t < steps; ++t) {
    cilk_for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        int count = neighbours(now, width, height, x, y);
        later[y * width + x] = count == 3 || (count == 2 && now[y * width + x]);
      }
    swap(&now, &later);
  }
  int alive = 0;
  for (int i = 0; i < width * height; ++i)
    alive += now[i];
  CHECK_EQUAL(alive, 5);
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 3; ++x)
      CHECK_EQUAL(
          now[(y + steps / 4) % height * width + (x + steps / 4) % width],
          glider[y][x] == '#');
  uint64_t sum = checksum(now, (size_t)width * height);
  free(now), free(later);
  return sum;
}

/* The wave equation by leapfrog, in a box of n^3 cells that is still outside.
 */
static uint64_t wave(int n, int steps) {
  const double pi = acos(-1.0), courant = 0.3;
  long row = n + 2, plane = row * row;
  size_t size = row * plane * sizeof(double);
  double *before = calloc(1, size), *now = calloc(1, size);
  double *later = calloc(1, size), *shape = calloc(1, size);
  CHECK(before && now && later && shape);
  /* An eigenvector: each step is a rotation by the angle that gives this. */
  double part = sin(pi / (2 * (n + 1)));
  double cosine = 1 - 6 * courant * courant * part * part;
  cilk_for (int z = 1; z <= n; ++z)
    cilk_for (int y = 1; y <= n; ++y)
      for (int x = 1; x <= n; ++x) {
        long i = z * plane + y * row + x;
        shape[i] = sin(pi * x / (n + 1)) * sin(pi * y / (n + 1)) *
                   sin(pi * z / (n + 1));
        before[i] = shape[i];
        now[i] = cosine * shape[i];
      }
  for (int t = 1; t < steps; ++t) {
    cilk_for (int z = 1; z <= n; ++z)
      for (int y = 1; y <= n; ++y)
        for (int x = 1; x <= n; ++x) {
          long i = z * plane + y * row + x;
          double around = now[i - 1] + now[i + 1] + now[i - row] +
                          now[i + row] + now[i - plane] + now[i + plane];
          later[i] = 2 * now[i] - before[i] +
                     courant * courant * (around - 6 * now[i]);
        }
    double *oldest = before;
    before = now;
    now = later;
    later = oldest;
  }
  double factor = cos(steps * acos(cosine));
  for (long i = 0; i < row * plane; ++i)
    CHECK(fabs(now[i] - factor * shape[i]) < 1e-9);
  uint64_t sum = checksum(now, size);
  free(before), free(now), free(later), free(shape);
  return sum;
}

int main(int argc, char **argv) {
  int side = (int)argument(argc, argv, 1, 24);
  int steps = (int)argument(argc, argv, 2, 60);
  stopwatch watch = stopwatch_start();
  uint64_t sum = automaton(10 * steps + 1);
  sum ^= life(3 * side, 2 * side, 4 * steps);
  sum ^= wave(side, steps);
  stopwatch_stop(watch);
  printf("stencil %d, %d steps: checksum %016llx\n", side, steps,
         (unsigned long long)sum);
  return 0;
}
