//===- spawn-deep-sides.c - A million deep, with sides ------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tree that is a trunk with a short branch at each node, which is spawned
// behind the rest of the trunk: others take either.
//
//===----------------------------------------------------------------------===//
// ARGS: 1000000
// CFLAGS: -fno-chan-serial-clones -fno-chan-batch
// MAXRSS-MB: 512
// TIMEOUT: 60
// VGIW-ARGS: 300

#include "../Support/check.h"
#include <cilk/cilk.h>

static long nodes(long length) {
  if (length <= 0)
    return 1;
  long trunk = cilk_spawn nodes(length - 1);
  long side = cilk_spawn nodes(length % 7 ? 0 : 3);
  cilk_sync;
  return trunk + side;
}

int main(int argc, char **argv) {
  long length = argument(argc, argv, 1, 10000);
  CHECK_EQUAL(nodes(length), length + 1 + length / 7 * 3);
  printf("%ld deep\n", length);
  return 0;
}
