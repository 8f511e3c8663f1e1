//===- results.more.c - The second file of results.c --------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions that spawn and that do not, for the spawns, calls and pointers of
// results.c, whose calls_of_main_file they spawn and call.
//
//===----------------------------------------------------------------------===//

#include "results.h"

int shared_number;

int in_other_file(int n) { return 2 * n + 4; }

int calls_back(int n) { return calls_of_main_file(n) + 1; }

int twice_in_parallel(int n) {
  int a = cilk_spawn calls_of_main_file(n);
  int b = cilk_spawn calls_back(n);
  cilk_sync;
  return a + b + 3;
}
