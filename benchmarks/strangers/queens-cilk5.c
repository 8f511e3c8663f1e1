//===- queens-cilk5.c - N-queens in the form of Cilk-5 ------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The form in which Cilk-5's examples have it, and OpenCilk and most courses
// after them: a board of bytes on the stack for each square, copied, and a test
// of all pairs of queens. The argument is the number of queens.
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

static int nqueens(int n, int row, char *a) {
  if (row == n)
    return 1;
  int *count = alloca(n * sizeof(int));
  memset(count, 0, n * sizeof(int));
  for (int i = 0; i < n; i++) {
    char *b = alloca(row + 1);
    memcpy(b, a, row);
    b[row] = (char)i;
    if (ok(row + 1, b))
      count[i] = cilk_spawn nqueens(n, row + 1, b);
  }
  cilk_sync;
  int solutions = 0;
  for (int i = 0; i < n; i++)
    solutions += count[i];
  return solutions;
}

int main(int argc, char **argv) {
  int n = (int)first_argument(argc, argv, 12, 7);
  char *a = alloca(n);
  stopwatch watch = stopwatch_start();
  int solutions = nqueens(n, 0, a);
  stopwatch_stop(watch);
  printf("%d queens: %d\n", n, solutions);
  return 0;
}
