//===- prefixsum.c - Prefix sums in blocks, two passes ------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each block is added up, the sums of the blocks are scanned serially, and
// then each block writes its prefix sums.
//
//===----------------------------------------------------------------------===//

#include "loops.h"

void prefix_sum(const long *in, long *out, long n, long block, long *sums) {
  long blocks = (n + block - 1) / block;
  cilk_for (long b = 0; b < blocks; b++) {
    long end = (b + 1) * block < n ? (b + 1) * block : n;
    long sum = 0;
    for (long i = b * block; i < end; i++)
      sum += in[i];
    sums[b] = sum;
  }
  long offset = 0;
  for (long b = 0; b < blocks; b++) {
    long sum = sums[b];
    sums[b] = offset;
    offset += sum;
  }
  cilk_for (long b = 0; b < blocks; b++) {
    long end = (b + 1) * block < n ? (b + 1) * block : n;
    long sum = sums[b];
    for (long i = b * block; i < end; i++) {
      sum += in[i];
      out[i] = sum;
    }
  }
}

int main(int argc, char **argv) {
  long n = first_argument(argc, argv, 1000000, 1000), block = 2048;
  long *in = malloc(n * sizeof(long)), *out = malloc(n * sizeof(long));
  long *sums = malloc((n / block + 1) * sizeof(long));
  CHECK(in && out && sums);
  for (long i = 0; i < n; i++)
    in[i] = (long)(scramble(i) % 100);

  stopwatch watch = stopwatch_start();
  for (int k = 0; k < 400; k++) {
    in[k] += k;
    prefix_sum(in, out, n, block, sums);
  }
  stopwatch_stop(watch);

  report("prefixsum", out, n * sizeof(long));
  free(in);
  free(out);
  free(sums);
  return 0;
}
