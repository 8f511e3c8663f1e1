//===- wild-time-stepping.c - Globals change between phases -------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// "Sync inside loops (time stepping: globals change between phases)": children
// of one phase see the globals as the parent set them before it.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>

enum { Cells = 40 };
static int step, offset;
static int cells[2][Cells];

static void advance(int first, int last) {
  if (last - first > 3) {
    cilk_spawn advance(first, (first + last) / 2);
    cilk_spawn advance((first + last) / 2, last);
    return;
  }
  const int *from = cells[step % 2];
  int *to = cells[(step + 1) % 2];
  for (int i = first; i < last; ++i)
    to[i] = (from[(i + offset) % Cells] + step) % 1009;
}

static int simulate(int steps) {
  int trace = 0;
  for (step = 0; step < steps; ++step) {
    offset = (offset + 3) % Cells;
    cilk_spawn advance(0, Cells);
    cilk_sync;
    trace = (trace * 31 + cells[(step + 1) % 2][0]) % 65521;
  }
  return trace;
}

/* Follows the one number that ends in a cell backwards through the steps. */
static int origin(int cell, int steps) {
  int value = 0, shift = 0;
  for (int s = 0; s < steps; ++s)
    shift = (shift + 3) % Cells;
  for (int s = steps - 1; s >= 0; --s) {
    cell = (cell + shift) % Cells;
    value += s;
    shift = (shift + Cells - 3) % Cells;
  }
  return (cell * cell + value) % 1009;
}

int main(void) {
  const int steps = 100;
  for (int i = 0; i < Cells; ++i)
    cells[0][i] = i * i % 1009;
  int trace = simulate(steps);
  for (int i = 0; i < Cells; ++i)
    CHECK_EQUAL(cells[steps % 2][i], origin(i, steps));
  printf("trace %d\n", trace);
  return 0;
}
