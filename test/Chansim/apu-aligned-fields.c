// apu-aligned-fields.c - Fields of 16 bytes, in channels that align elements to 8 bytes.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An element of walk() has 24 bytes: w and n. Every second element of the array is at an odd
// multiple of 8. The machine writes the wide constant with one store.

// RUN: cilk2chan -O2 --target=simt --machine=isca14-apu %s -o %t
// RUN: %t 6 | FileCheck %s
// RUN: env CHANSIM_SET=channel.width=64 %t 6 | FileCheck %s
// RUN: env CHANSIM_SET=channel.hierarchy=cores %t 6 | FileCheck %s
// CHECK: 127 nodes, 64 leaves

#include <stdio.h>
#include <stdlib.h>

static int nodes, leaves;

static void walk(int n, __int128 w) {
  __atomic_fetch_add(&nodes, 1 + (int)w, __ATOMIC_RELAXED);
  if (n == 0) {
    __atomic_fetch_add(&leaves, 1, __ATOMIC_RELAXED);
    return;
  }
  cilk_spawn walk(n - 1, 0);
  cilk_spawn walk(n - 1, 0);
}

int main(int argc, char **argv) {
  (void)argc;
  walk(atoi(argv[1]), 0);
  printf("%d nodes, %d leaves\n", nodes, leaves);
}
