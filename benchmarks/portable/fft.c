//===- fft.c - Fourier transform by halves, portable --------------*- C -*-===//
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
#include "../programs/fft.c"
#undef main

PROCEDURE_4(combine_task, number *, out, long, half, long, first, long, last) {
  if (last - first <= Leaf) {
    SERIAL(combine_serially, out, half, first, last);
    LEAVE_VOID;
  }
  long middle = first + (last - first) / 2;
  GROUP;
  FORK_VOID(combine_task, out, half, first, middle);
  CALL_VOID(combine_task, out, half, middle, last);
  WAIT;
  JOIN_VOID(combine_task);
  RETURN_VOID;
}

PROCEDURE_4(transform_task, const number *, in, number *, out, long, n, long,
            stride) {
  if (n <= Leaf) {
    SERIAL(transform_serially, in, out, n, stride);
    LEAVE_VOID;
  }
  long half = n / 2;
  GROUP;
  FORK_VOID(transform_task, in, out, half, 2 * stride);
  CALL_VOID(transform_task, in + stride, out + half, half, 2 * stride);
  WAIT;
  JOIN_VOID(transform_task);
  CALL_VOID(combine_task, out, half, 0, half);
  RETURN_VOID;
}

int main(int argc, char **argv) {
  START;
  length = 1l << argument(argc, argv, 1, 12);
  number *waves = make_waves();
  const number *in = waves;
  number *out = (number *)malloc(length * sizeof *out);
  stopwatch watch = stopwatch_start();
  RUN_VOID(transform_task, in, out, length, 1);
  stopwatch_stop(watch);
  report(out);
  STOP;
  return 0;
}
