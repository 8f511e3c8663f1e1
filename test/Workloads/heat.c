//===- heat.c - Heat diffusion in time steps ----------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sync in a loop: each step spawns bands of rows, syncs, and swaps the grids.
// The start is an eigenvector of the averaging stencil, so after t steps each
// cell must be the start times cos(pi / n) to the power of t.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// LIBS: -lm
// VGIW-ARGS: 32 10
// VGIW-SAMPLE: yes

#include "../Support/check.h"
#include "../Support/stopwatch.h"
#include <cilk/cilk.h>
#include <math.h>

static int size;
static double *now, *later;

static void relax_rows(int first, int last) {
  int width = size + 1;
  for (int i = first; i < last; ++i)
    for (int j = 1; j < size; ++j) {
      const double *cell = now + i * width + j;
      later[i * width + j] =
          0.25 * (cell[-width] + cell[width] + cell[-1] + cell[1]);
    }
}

static void relax(int first, int last) {
  if (last - first > 4) {
    int middle = (first + last) / 2;
    cilk_spawn relax(first, middle);
    relax(middle, last);
    cilk_sync;
    return;
  }
  relax_rows(first, last);
}

static void swap_grids(void) {
  double *swap = now;
  now = later;
  later = swap;
}

static void simulate(int steps, int band) {
  for (int step = 0; step < steps; ++step) {
    for (int first = 1; first < size; first += band)
      cilk_spawn relax(first, first + band < size ? first + band : size);
    cilk_sync;
    swap_grids();
  }
}

/* Sets `now`; returns the sine that its rows and columns are made of. */
static double *make_grids(void) {
  int width = size + 1;
  now = (double *)calloc((long)width * width, sizeof *now);
  later = (double *)calloc((long)width * width, sizeof *later);
  double *start = (double *)calloc(width, sizeof *start);
  const double pi = acos(-1.0);
  for (int i = 1; i < size; ++i)
    start[i] = sin(pi * i / size);
  for (int i = 1; i < size; ++i)
    for (int j = 1; j < size; ++j)
      now[i * width + j] = start[i] * start[j];
  return start;
}

static void report(const double *start, int steps) {
  int width = size + 1;
  double factor = pow(cos(acos(-1.0) / size), steps);
  for (int i = 1; i < size; ++i)
    for (int j = 1; j < size; ++j)
      CHECK(fabs(now[i * width + j] - factor * start[i] * start[j]) < 1e-12);
  printf("heat %d x %d, %d steps: %.9f in the middle\n", size, size, steps,
         now[(size / 2) * width + size / 2]);
}

int main(int argc, char **argv) {
  size = (int)argument(argc, argv, 1, 64);
  int steps = (int)argument(argc, argv, 2, 60);
  double *start = make_grids();
  stopwatch watch = stopwatch_start();
  simulate(steps, 7);
  stopwatch_stop(watch);
  report(start, steps);
  free(now);
  free(later);
  free(start);
  return 0;
}
