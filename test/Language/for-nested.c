//===- for-nested.c - loops in loops, spawns in loops, loops in tasks *- C
//-*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nested loops; bodies that spawn and sync, where a sync waits for the
// iteration's own children; recursion through loops; loops in spawned blocks.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// VGIW-SAMPLE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>
#include <string.h>

enum { size = 24 };
static double a[size][size], b[size][size], c[size][size];

static void multiply(int n) {
  cilk_for (int i = 0; i < n; i++)
    cilk_for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < n; k++)
        sum += a[i][k] * b[k][j];
      c[i][j] = sum;
    }
}

static unsigned long triangle(int n) {
  long sum = 0;
  int i, j, k;
  cilk_for (i = 0; i < n; i++)
    cilk_for (j = i; j < n; ++j)
      cilk_for (k = n; k > j; k -= 2)
        __atomic_add_fetch(&sum, i * 100 + j * 10 + k, __ATOMIC_RELAXED);
  return sum;
}

static unsigned long fib(int n) {
  if (n < 2)
    return n;
  long x = cilk_spawn fib(n - 1);
  long y = fib(n - 2);
  cilk_sync;
  return x + y;
}

/// Spawns, calls and syncs in the body.
static unsigned long spawns(int n) {
  long first[n], second[n], third[n];
  unsigned long sum = 0;
  cilk_for (int i = 0; i < n; i++) {
    long local;
    local = cilk_spawn fib(i % 12);
    first[i] = fib(i % 9);
    cilk_sync;
    second[i] = local + first[i];
    // Synced by the end of the iteration.
    third[i] = cilk_spawn fib(i % 10);
    if (i % 3 == 0)
      continue;
    second[i] += 1;
  }
  for (int i = 0; i < n; i++)
    sum = sum * 3 + first[i] + 5 * second[i] + 7 * third[i];
  return sum;
}

/// Children of the function are not the loop's.
static unsigned long outer(int n) {
  long before = cilk_spawn fib(15), sum = 0, after;
  cilk_for (int i = 0; i < n; i++) {
    long x = cilk_spawn fib(i % 8);
    cilk_sync;
    __atomic_add_fetch(&sum, x, __ATOMIC_RELAXED);
  }
  after = cilk_spawn fib(12);
  cilk_sync;
  return before * sum + after;
}

typedef struct Tree {
  int degree, value;
  struct Tree *children[5];
} Tree;

static Tree *grow(int depth, int seed) {
  Tree *tree = malloc(sizeof *tree);
  tree->degree = depth ? 1 + seed % 5 : 0;
  tree->value = seed % 100;
  cilk_for (int i = 0; i < tree->degree; i++)
    tree->children[i] = grow(depth - 1, (seed * 31 + i * 7) % 1009);
  return tree;
}

/// Recursion through the loop.
static unsigned long fell(Tree *tree) {
  long sums[5] = {0};
  unsigned long result = tree->value;
  cilk_for (int i = 0; i < tree->degree; i++)
    sums[i] = fell(tree->children[i]);
  for (int i = 0; i < tree->degree; i++)
    result = result * 3 + sums[i];
  free(tree);
  return result;
}

/// A queen in each column of the last row, as a loop.
static int queens(int n, int row, const char *board) {
  int counts[n], total = 0;
  if (row == n)
    return 1;
  cilk_for (int column = 0; column < n; column++) {
    char next[n];
    int safe = 1;
    memcpy(next, board, row);
    next[row] = (char)column;
    for (int k = 0; k < row; k++)
      if (board[k] == column || row - k == abs(board[k] - column))
        safe = 0;
    counts[column] = safe ? queens(n, row + 1, next) : 0;
  }
  for (int column = 0; column < n; column++)
    total += counts[column];
  return total;
}

static unsigned long blocks(int n) {
  long sums[2] = {0, 0};
  cilk_spawn {
    cilk_for (int i = 0; i < n; i++) {
      long x = cilk_spawn fib(5);
      cilk_sync;
      __atomic_add_fetch(&sums[0], i + x, __ATOMIC_RELAXED);
    }
  }
  cilk_for (int i = 0; i < n; i++)
    cilk_spawn { __atomic_add_fetch(&sums[1], i, __ATOMIC_RELAXED); }
  cilk_sync;
  return sums[0] * 1000 + sums[1];
}

int main(void) {
  for (int i = 0; i < size; i++)
    for (int j = 0; j < size; j++) {
      a[i][j] = i + j;
      b[i][j] = i - j;
    }
  multiply(size);
  double trace = 0;
  for (int i = 0; i < size; i++)
    trace += c[i][size - 1 - i];
  printf("%.0f\n", trace);
  printf("%lu\n", triangle(15));
  printf("%lu\n", spawns(100));
  printf("%lu\n", outer(50));
  printf("%lu\n", fell(grow(6, 4)));
  CHECK_EQUAL(queens(6, 0, ""), 4);
  printf("%lu\n", blocks(40));
  return 0;
}
