//===- small-trees.c - Many small trees, one after the other ------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What it costs to call a function that spawns a little: 9 and 15 calls in
// turn, 12 on average. The caller is ordinary C.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// ARGS: 1000
// VGIW-ARGS: 10

#include "../../test/Support/check.h"
#include "../../test/Support/stopwatch.h"
#include <cilk/cilk.h>

static int fib(int n) {
  if (n < 2)
    return n;
  int x = cilk_spawn fib(n - 1);
  int y = fib(n - 2);
  cilk_sync;
  return x + y;
}

int main(int argc, char **argv) {
  int trees = (int)argument(argc, argv, 1, 1000);
  long total = 0;
  stopwatch watch = stopwatch_start();
  for (int i = 0; i < trees; ++i)
    total += fib(4 + i % 2);
  stopwatch_stop(watch);
  printf("%d trees: %ld\n", trees, total);
  return 0;
}
