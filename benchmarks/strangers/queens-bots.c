//===- queens-bots.c - N-queens in the form of BOTS ---------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The form of the Barcelona OpenMP Tasks Suite: each task leaves its number of
// solutions at an address, in an array of its parent's that is as long as the
// board. The argument is the number of queens.
//
// grain: classic
//
//===----------------------------------------------------------------------===//

#include "../loops/loops.h"
#include <alloca.h>

static int ok(int n, char *a) {
  for (int i = 0; i < n; i++) {
    char p = a[i];
    for (int j = i + 1; j < n; j++) {
      char q = a[j];
      if (q == p || q == p - (j - i) || q == p + (j - i))
        return 0;
    }
  }
  return 1;
}

static void nqueens(int n, int row, char *a, int *solutions) {
  if (row == n) {
    *solutions = 1;
    return;
  }
  *solutions = 0;
  int *each = alloca(n * sizeof(int));
  memset(each, 0, n * sizeof(int));
  for (int i = 0; i < n; i++) {
    char *b = alloca(n);
    memcpy(b, a, row);
    b[row] = (char)i;
    if (ok(row + 1, b))
      cilk_spawn nqueens(n, row + 1, b, &each[i]);
  }
  cilk_sync;
  for (int i = 0; i < n; i++)
    *solutions += each[i];
}

int main(int argc, char **argv) {
  int n = (int)first_argument(argc, argv, 12, 7);
  char *a = alloca(n);
  int solutions;
  stopwatch watch = stopwatch_start();
  nqueens(n, 0, a, &solutions);
  stopwatch_stop(watch);
  printf("%d queens: %d\n", n, solutions);
  return 0;
}
