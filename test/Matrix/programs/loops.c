//===- loops.c - Parallel loops, scopes, syncs in loops -----------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cilk_for over integers and pointers, nested, around spawns, and into an array
// that is summed up; cilk_scope; syncs in loops and in branches.  Prints "ok".
//
//===----------------------------------------------------------------------===//

#include <stdio.h>

enum { ROWS = 9, COLUMNS = 7, COUNT = 100 };

static int cells[ROWS][COLUMNS];
static double field[COUNT], smooth[COUNT];
static long partial[COUNT];

static long square(long n) { return n * n; }

static void nested(int base) {
  cilk_for (int i = 0; i < ROWS; i++)
    cilk_for (int j = COLUMNS - 1; j >= 0; j--)
      cells[i][j] = base + i * COLUMNS + j;
}

static void stencil(void) {
  cilk_for (int i = 0; i < COUNT; i++)
    field[i] = i % 10;
  cilk_for (double *p = field + 1; p != field + COUNT - 1; p++)
    smooth[p - field] = (p[-1] + 2 * p[0] + p[1]) / 4;
}

static long reduce(int n) {
  long sum = 0;
  cilk_for (unsigned char c = 0; c < n; c += 3) {
    long a = cilk_spawn square(c), b = square(c + 1);
    cilk_sync;
    partial[c] = a + b;
  }
  for (int i = 0; i < n; i++)
    sum += partial[i];
  return sum;
}

static int scopes(int n) {
  long outer, first = 0, last[2];
  outer = cilk_spawn square(n);
  cilk_scope {
    first = cilk_spawn square(n + 1);
    last[0] = cilk_spawn square(n + 2);
  }
  last[1] = first + last[0];
  cilk_sync;
  return last[1] == (n + 1) * (n + 1) + (n + 2) * (n + 2) &&
         outer == (long)n * n;
}

static long waves(int n) {
  long row[4] = {1, 1, 1, 1}, total = 0;
  for (int step = 0; step < n; step++) {
    long next[4];
    int i;
    for (i = 0; i < 4; i++)
      next[i] = cilk_spawn square(row[i] % 5 + i);
    if (step % 2) {
      total += row[step % 4];
      cilk_sync;
      total += next[0];
    } else {
      cilk_sync;
    }
    for (i = 0; i < 4; i++)
      row[i] = next[i];
  }
  switch (n % 3) {
  case 0:
    row[0] = cilk_spawn square(n);
    cilk_sync;
    break;
  default:
    row[1] = cilk_spawn square(n);
  }
  cilk_sync;
  return total + row[0] + row[1] + row[2] + row[3];
}

static long waves_in_order(int n) {
  long row[4] = {1, 1, 1, 1}, total = 0;
  for (int step = 0; step < n; step++) {
    long next[4];
    int i;
    for (i = 0; i < 4; i++)
      next[i] = (row[i] % 5 + i) * (row[i] % 5 + i);
    if (step % 2)
      total += row[step % 4] + next[0];
    for (i = 0; i < 4; i++)
      row[i] = next[i];
  }
  row[n % 3 != 0] = (long)n * n;
  return total + row[0] + row[1] + row[2] + row[3];
}

int main(int argc, char **argv) {
  int good = argv[0] != 0;
  nested(argc);
  good &= cells[0][0] == argc &&
          cells[ROWS - 1][COLUMNS - 1] == argc + ROWS * COLUMNS - 1;
  stencil();
  good &= smooth[5] == 5 && smooth[10] == 2.5 && smooth[COUNT - 2] == 8 &&
          smooth[0] == 0;
  good &= reduce(50) == 27761 && scopes(3);
  good &= waves(9) == waves_in_order(9) && waves(4) == waves_in_order(4);
  if (!good) {
    printf("wrong: %ld, %d, %ld, %ld\n", reduce(50), scopes(3), waves(9),
           waves(4));
    return 1;
  }
  printf("ok\n");
  return 0;
}
