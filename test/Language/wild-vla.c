//===- wild-vla.c - Arrays of run-time length beside spawns -------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// "VLAs beside spawns": children write into them, they live across the sync,
// and their lengths differ from activation to activation.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>

static long catalan(int n) {
  if (n < 2)
    return 1;
  long left[n], right[n];
  for (int i = 0; i < n; ++i) {
    left[i] = cilk_spawn catalan(i);
    right[i] = cilk_spawn catalan(n - 1 - i);
  }
  cilk_sync;
  long sum = 0;
  for (int i = 0; i < n; ++i)
    sum += left[i] * right[i];
  return sum;
}

static void set(int rows, int columns, int table[rows][columns], int row) {
  for (int column = 0; column < columns; ++column)
    table[row][column] = row * columns + column;
}

static int table(int rows, int columns) {
  int values[rows][columns];
  for (int row = 0; row < rows; ++row)
    cilk_spawn set(rows, columns, values, row);
  cilk_sync;
  int sum = 0;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column)
      sum += values[row][column];
  CHECK_EQUAL(sizeof values, rows * columns * sizeof(int));
  return sum;
}

static void put(char *out, char value) { *out = value; }

/* A new array in each iteration, and children of several alive at once. */
static int per_iteration(int count) {
  int sum = 0;
  for (int length = 1; length <= count; ++length) {
    char text[length];
    for (int i = 0; i < length; ++i)
      cilk_spawn put(text + i, (char)i);
    cilk_sync;
    for (int i = 0; i < length; ++i)
      sum += text[i];
  }
  return sum;
}

int main(void) {
  CHECK_EQUAL(catalan(6), 132);
  int n = 13 * 7;
  CHECK_EQUAL(table(13, 7), n * (n - 1) / 2);
  CHECK_EQUAL(per_iteration(40), 40 * 41 * 39 / 6);
  printf("%ld %d\n", catalan(7), table(5, 9));
  return 0;
}
