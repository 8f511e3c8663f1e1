//===- runlength.c - Run-length coding of the rows of a picture ---*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each row has its own output, pairs of a count and a value, and its own
// length.
//
//===----------------------------------------------------------------------===//

#include "loops.h"

static int encode(const uint8_t *row, int width, uint8_t *out) {
  int length = 0, x = 0;
  while (x < width) {
    uint8_t value = row[x];
    int run = 1;
    while (x + run < width && row[x + run] == value && run < 255)
      run++;
    out[length++] = (uint8_t)run;
    out[length++] = value;
    x += run;
  }
  return length;
}

int main(int argc, char **argv) {
  int height = (int)first_argument(argc, argv, 2000, 20), width = 2000;
  uint8_t *picture = malloc(width * height);
  uint8_t *coded = calloc(2 * width, height);
  int *lengths = malloc(height * sizeof(int));
  CHECK(picture && coded && lengths);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      picture[y * width + x] = (uint8_t)(scramble((x / 9) * (y / 4)) % 4);

  stopwatch watch = stopwatch_start();
  for (int k = 0; k < 60; k++) {
    cilk_for (int y = 0; y < height; y++)
      lengths[y] = encode(picture + y * width, width, coded + 2 * y * width);
    picture[k * 31]++;
  }
  stopwatch_stop(watch);

  uint64_t sums[2];
  sums[0] = checksum(lengths, height * sizeof(int));
  sums[1] = checksum(coded, 2 * width * height);
  report("runlength", sums, sizeof sums);
  free(picture), free(coded), free(lengths);
  return 0;
}
