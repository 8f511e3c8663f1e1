//===- lut.c - A picture through a lookup table -------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gamma correction in place; the table and the picture are global.
//
//===----------------------------------------------------------------------===//

#include "loops.h"

#define PIXELS 1000000

static unsigned char picture[PIXELS];
static unsigned char table[256];

static void apply_table(void) {
  cilk_for (unsigned i = 0; i < PIXELS; i++)
    picture[i] = table[picture[i]];
}

int main(int argc, char **argv) {
  int times = (int)first_argument(argc, argv, 400, 2);
  for (int i = 0; i < 256; i++)
    table[i] = (unsigned char)(i * 167 + 13);
  for (int i = 0; i < PIXELS; i++)
    picture[i] = (unsigned char)scramble(i);

  stopwatch watch = stopwatch_start();
  for (int k = 0; k < times; k++)
    apply_table();
  stopwatch_stop(watch);

  return report("lut", picture, sizeof picture);
}
