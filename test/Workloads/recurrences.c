//===- recurrences.c - Short recursions over numbers --------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nothing but functions of one or two lines that spawn: what compiling them
// takes is what kernels, batches and serial clones take. Checked against what
// loops compute, or is known.
//
//===----------------------------------------------------------------------===//
// BENCH-ARGS: 30

#include "../Support/check.h"
#include "../Support/stopwatch.h"
#include <cilk/cilk.h>

/// Compositions of n into ones and twos.
long fibonacci(int n) {
  if (n < 2)
    return 1;
  long one = cilk_spawn fibonacci(n - 1);
  long two = fibonacci(n - 2);
  cilk_sync;
  return one + two;
}

/// Ways to choose k of n.
long choose(int n, int k) {
  if (k == 0 || k == n)
    return 1;
  long with = cilk_spawn choose(n - 1, k - 1);
  long without = choose(n - 1, k);
  cilk_sync;
  return with + without;
}

/// Paths of n steps up, down or level from height h to the ground, not below.
long motzkin(int n, int h) {
  if (h < 0 || h > n)
    return 0;
  if (n == 0)
    return 1;
  long up = cilk_spawn motzkin(n - 1, h + 1);
  long level = cilk_spawn motzkin(n - 1, h);
  long down = motzkin(n - 1, h - 1);
  cilk_sync;
  return up + level + down;
}

/// Walks of n steps on a grid that end where they began.
long walks(int x, int y, int n) {
  if (n == 0)
    return x == 0 && y == 0;
  long east = cilk_spawn walks(x + 1, y, n - 1);
  long west = cilk_spawn walks(x - 1, y, n - 1);
  long north = cilk_spawn walks(x, y + 1, n - 1);
  long south = walks(x, y - 1, n - 1);
  cilk_sync;
  return east + west + north + south;
}

/// Height of the tree of calls of fibonacci(n).
int height(int n) {
  if (n < 2)
    return 0;
  int one = cilk_spawn height(n - 1);
  int two = height(n - 2);
  cilk_sync;
  return 1 + (one > two ? one : two);
}

/// Sum of the fractions' denominators in row d of the Stern-Brocot tree between
/// those with a and b.
long denominators(long a, long b, int d) {
  if (d == 0)
    return a + b;
  long left = cilk_spawn denominators(a, a + b, d - 1);
  long right = denominators(a + b, b, d - 1);
  cilk_sync;
  return left + right;
}

/// Numbers that come to n in d steps of Collatz's.
long predecessors(long n, int d) {
  if (d == 0)
    return 1;
  long odd = 0;
  long even = cilk_spawn predecessors(2 * n, d - 1);
  if (n % 6 == 4 && n > 4)
    odd = cilk_spawn predecessors((n - 1) / 3, d - 1);
  cilk_sync;
  return even + odd;
}

/// Moves of n discs, the number of a move times the peg that it leaves.
unsigned hanoi(unsigned n, unsigned from, unsigned to, unsigned first) {
  if (n == 0)
    return 0;
  unsigned others = (1u << (n - 1)) - 1, other = 6 - from - to;
  unsigned before = cilk_spawn hanoi(n - 1, from, other, first);
  unsigned after = hanoi(n - 1, other, to, first + others + 1);
  cilk_sync;
  return before + (first + others) * from + after;
}

/// Ways to pay an amount with the coins in front of `end`.
long change(const int *coin, const int *end, long amount) {
  if (amount == 0)
    return 1;
  if (amount < 0 || coin == end)
    return 0;
  long again = cilk_spawn change(coin, end, amount - *coin);
  long others = change(coin + 1, end, amount);
  cilk_sync;
  return again + others;
}

/// Placements of queens in the rows that are left.
int queens(unsigned all, unsigned columns, unsigned left, unsigned right) {
  if (columns == all)
    return 1;
  int count = 0;
  for (unsigned free = all & ~(columns | left | right); free;
       free &= free - 1) {
    unsigned queen = free & -free;
    count += cilk_spawn queens(all, columns | queen, (left | queen) << 1,
                               (right | queen) >> 1);
  }
  cilk_sync;
  return count;
}

int main(int argc, char **argv) {
  int n = (int)argument(argc, argv, 1, 14);
  const int coins[] = {1, 2, 5, 10, 20, 50};
  stopwatch watch = stopwatch_start();
  long compositions = fibonacci(n), subsets = choose(n, n / 2);
  long paths = motzkin(12, 0), closed = walks(0, 0, 8);
  long row = denominators(1, 1, n), reached = predecessors(1, 24);
  unsigned moved = hanoi(10, 1, 3, 1);
  long paid = change(coins, coins + 6, 50);
  int placed = queens(255, 0, 0, 0), levels = height(n);
  stopwatch_stop(watch);

  long one = 1, two = 1, power = 2;
  for (int i = 2; i <= n; ++i, power *= 3) {
    long sum = one + two;
    one = two;
    two = sum;
  }
  CHECK_EQUAL(compositions, two);
  long product = 1;
  for (int i = 1; i <= n / 2; ++i)
    product = product * (n - n / 2 + i) / i;
  CHECK_EQUAL(subsets, product);
  CHECK_EQUAL(paths, 15511);
  CHECK_EQUAL(closed, 4900);
  CHECK_EQUAL(row, power * 3);
  CHECK_EQUAL(paid, 451);
  CHECK_EQUAL(placed, 92);
  CHECK_EQUAL(levels, n - 1);
  printf("%ld %u\n", reached, moved);
  return 0;
}
