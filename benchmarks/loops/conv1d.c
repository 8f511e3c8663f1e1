//===- conv1d.c - A filter of 32 taps over a signal ---------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Samples of 16 bits, sums of 32 bits, and an output of 16 bits.
//
//===----------------------------------------------------------------------===//

#include "loops.h"

#define TAPS 32

static short taps[TAPS];

void filter(short *out, const short *in, long n) {
  cilk_for (long i = 0; i < n - TAPS + 1; i++) {
    int sum = 0;
    for (int k = 0; k < TAPS; k++)
      sum += in[i + k] * taps[k];
    out[i] = (short)(sum >> 12);
  }
}

int main(int argc, char **argv) {
  long n = first_argument(argc, argv, 1000000, 1000);
  short *in = malloc(n * sizeof(short)), *out = calloc(n, sizeof(short));
  CHECK(in && out);
  for (int k = 0; k < TAPS; k++)
    taps[k] = (short)(4 * k * (TAPS - k) - 100);
  for (long i = 0; i < n; i++)
    in[i] = (short)(scramble(i) % 4096);

  stopwatch watch = stopwatch_start();
  for (int k = 0; k < 90; k++) {
    filter(out, in, n);
    in[k] = out[k];
  }
  stopwatch_stop(watch);

  report("conv1d", out, n * sizeof(short));
  free(in);
  free(out);
  return 0;
}
