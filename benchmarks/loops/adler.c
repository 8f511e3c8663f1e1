//===- adler.c - A checksum of each block of a file ---------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Adler's two sums, for blocks of 4096 bytes.
//
//===----------------------------------------------------------------------===//

#include "loops.h"

#define BLOCK 4096

static uint32_t adler32(const unsigned char *data, size_t length) {
  uint32_t a = 1, b = 0;
  for (size_t i = 0; i < length; i++) {
    a += data[i];
    b += a;
  }
  return b % 65521 << 16 | a % 65521;
}

int main(int argc, char **argv) {
  size_t blocks = (size_t)first_argument(argc, argv, 1000, 4);
  unsigned char *file = malloc(blocks * BLOCK);
  uint32_t *sums = calloc(blocks, sizeof *sums);
  CHECK(file && sums);
  for (size_t i = 0; i < blocks * BLOCK; i++)
    file[i] = (unsigned char)scramble(i);

  stopwatch watch = stopwatch_start();
  for (int k = 0; k < 150; k++) {
    cilk_for (size_t block = 0; block < blocks; block++)
      sums[block] ^= adler32(file + block * BLOCK, BLOCK);
    file[k]++;
  }
  stopwatch_stop(watch);

  report("adler", sums, blocks * sizeof *sums);
  free(file);
  free(sums);
  return 0;
}
