//===- heat.c - Heat diffusion, portable --------------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See peer.h.
//
//===----------------------------------------------------------------------===//

#include "../peers/peer.h"

#define main elided_main
#include "../../test/Workloads/heat.c"
#undef main

PROCEDURE_2(relax_task, int, first, int, last) {
  if (last - first <= 4) {
    SERIAL(relax_rows, first, last);
    LEAVE_VOID;
  }
  int middle = (first + last) / 2;
  GROUP;
  FORK_VOID(relax_task, first, middle);
  CALL_VOID(relax_task, middle, last);
  WAIT;
  JOIN_VOID(relax_task);
  RETURN_VOID;
}

PROCEDURE_2(simulate_task, int, steps, int, band) {
  GROUP;
  for (int step = 0; step < steps; ++step) {
    for (int first = 1; first < size; first += band)
      FORK_VOID(relax_task, first, first + band < size ? first + band : size);
    WAIT;
    for (int first = 1; first < size; first += band)
      JOIN_VOID(relax_task);
    swap_grids();
  }
  RETURN_VOID;
}

int main(int argc, char **argv) {
  START;
  size = (int)argument(argc, argv, 1, 64);
  int steps = (int)argument(argc, argv, 2, 60);
  double *start = make_grids();
  stopwatch watch = stopwatch_start();
  RUN_VOID(simulate_task, steps, 7);
  stopwatch_stop(watch);
  report(start, steps);
  STOP;
  return 0;
}
