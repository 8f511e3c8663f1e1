//===- nqueens-bits.c - N-queens on bit masks ---------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A queen in each row; columns and diagonals taken are bits. A spawn for each
// square that is free.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// VGIW-ARGS: 6

#include "../../test/Support/check.h"
#include "../../test/Support/stopwatch.h"
#include <cilk/cilk.h>

static int place(unsigned all, unsigned columns, unsigned rising,
                 unsigned falling) {
  if (columns == all)
    return 1;
  int solutions = 0;
  unsigned open = all & ~(columns | rising | falling);
  while (open) {
    unsigned queen = open & -open;
    open ^= queen;
    solutions += cilk_spawn place(all, columns | queen, (rising | queen) << 1,
                                  (falling | queen) >> 1);
  }
  cilk_sync;
  return solutions;
}

int main(int argc, char **argv) {
  int n = (int)argument(argc, argv, 1, 7);
  stopwatch watch = stopwatch_start();
  int solutions = place((1u << n) - 1, 0, 0, 0);
  stopwatch_stop(watch);
  printf("nqueens(%d) = %d\n", n, solutions);
  return 0;
}
