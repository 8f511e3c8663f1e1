/*===- lane-cost.c - Where lanes would be slower than calls ----------------===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
// RUN: cilk2chan -fcilk-serialize -O1 %s -o %t.serial
// RUN: %t.serial > %t.want
// RUN: cilk2chan -O2 -march=x86-64-v4 -fchan-batch -Rpass=chan-simd -Rpass-missed=chan-simd -c %s -o %t.o 2>&1 | FileCheck --check-prefixes=CHECK,LONG %s
// RUN: cilk2chan -O2 -march=x86-64-v3 -fchan-batch -Rpass=chan-simd -Rpass-missed=chan-simd -c %s -o %t.o 2>&1 | FileCheck --check-prefixes=CHECK,SHORT %s
// RUN: cilk2chan -O2 -march=x86-64 -fchan-batch -Rpass=chan-simd -Rpass-missed=chan-simd -c %s -o %t.o 2>&1 | FileCheck --check-prefixes=CHECK,OLD %s
// RUN: cilk2chan -O2 -march=x86-64 -fno-chan-compaction -Rpass=chan-simd -Rpass-missed=chan-simd -c %s -o %t.o 2>&1 | FileCheck --check-prefix=APART %s

// The same with lanes everywhere, where this processor has them.
// RUN: cilk2chan -O2 -march=native %s -o %t.native
// RUN: CHAN_WORKERS=2 %t.native | diff %t.want -
// RUN: cilk2chan -O2 %s -o %t.any
// RUN: CHAN_WORKERS=1 %t.any | diff %t.want -
// RUN: cilk2chan -O2 -march=native -mprefer-vector-width=256 -fchan-lanes=8 %s -o %t.8
// RUN: CHAN_WORKERS=1 %t.8 | diff %t.want -
// RUN: cilk2chan -O2 -march=native -mprefer-vector-width=256 -fchan-lanes=2 -fno-chan-reductions %s -o %t.2
// RUN: CHAN_WORKERS=2 %t.2 | diff %t.want -
// RUN: cilk2chan -O2 -march=native -mprefer-vector-width=256 -fchan-lanes=64 -fno-chan-reductions %s -o %t.64
// RUN: CHAN_WORKERS=1 CHAN_WIDTH=3 %t.64 | diff %t.want -

#include <stdio.h>

// Eight at a time with AVX2, and iterations of many activations together; what
// ends at once is nobody's element, so all in a batch do the loop. SSE2's four
// do not pay where they wait for each other.
// LONG-DAG: :[[#@LINE+5]]:1: remark: 'bits.batch.reduce' treats {{[0-9]+}} elements at a time
// SHORT-DAG: :[[#@LINE+4]]:1: remark: 'bits.batch.reduce' treats 8 elements at a time
// OLD-DAG: :[[#@LINE+3]]:1: remark: 'bits.batch.reduce' treats 4 elements at a time
// CHECK-DAG: remark: iterations of 'bits.batch.reduce' are compacted
// APART-DAG: :[[#@LINE+1]]:1: remark: 'bits.batch.reduce' is not used for batches: that takes about
static int bits(unsigned all, unsigned taken, unsigned up, unsigned down) {
  if (taken == all)
    return 1;
  int found = 0;
  unsigned open = all & ~(taken | up | down);
  while (open) {
    unsigned one = open & -open;
    open ^= one;
    found += cilk_spawn bits(all, taken | one, (up | one) << 1,
                             (down | one) >> 1);
  }
  cilk_sync;
  return found;
}

// Lanes load byte by byte from arrays of their own, in a loop that they leave
// one after another.
// CHECK-DAG: :[[#@LINE+6]]:1: remark: 'place.batch.reduce' is not used for batches: that takes about
typedef struct {
  char column[16];
} board;
#define LENGTH 16

static int place(int n, int rows, board b) {
  if (rows == n)
    return 1;
  int found = 0;
  for (int i = 0; i < n; ++i) {
    board next = b;
    next.column[rows] = (char)i;
    int safe = 1;
    for (int row = 0; row < rows && safe; ++row) {
      int distance = next.column[rows] - next.column[row];
      safe = distance != 0 && distance != rows - row &&
             -distance != rows - row;
    }
    if (safe)
      found += cilk_spawn place(n, rows + 1, next);
  }
  cilk_sync;
  return found;
}

// A thousand bytes for each activation of a batch are not in a cache.
// CHECK-DAG: :[[#@LINE+1]]:1: remark: 'boards.batch.0' is not used for batches: that takes about
static int boards(int n, int rows, const int *b) {
  if (rows == n)
    return 1;
  int next[LENGTH][LENGTH], found = 0;
  for (int i = 0; i < n; ++i) {
    for (int row = 0; row < LENGTH; ++row)
      next[i][row] = row < rows ? b[row] : i;
    int safe = 1;
    for (int row = 0; row < LENGTH && safe; ++row) {
      int distance = i - next[i][row];
      safe = row >= rows || (distance != 0 && distance != rows - row &&
                             -distance != rows - row);
    }
    if (safe)
      found += cilk_spawn boards(n, rows + 1, next[i]);
  }
  cilk_sync;
  return found;
}

// Not a sum: parents ask for results.
static unsigned mixed(int n, unsigned seed) {
  if (n < 2)
    return seed;
  unsigned a = cilk_spawn mixed(n - 1, seed * 5 + 1);
  unsigned b = mixed(n - 2, seed ^ 77);
  cilk_sync;
  return a * 31 ^ b;
}

// The same of 64 bits, of pointers, and of floating point.
static double halves(int n, double x, const char *name, short add) {
  if (n < 1)
    return x + name[add & 3];
  double a = cilk_spawn halves(n - 1, x * 0.5, name, (short)(add + 1));
  double b = halves(n - 2, x + 1, name + 1 - (n & 1), (short)(add * 3));
  cilk_sync;
  return a - b;
}

// One after another they wait for their nodes, lanes do so at the same time.
// CHECK-DAG: :[[#@LINE+5]]:1: remark: 'nodes.batch.reduce' treats {{[0-9]+}} elements at a time
typedef struct node {
  const struct node *left, *right;
  long value;
} node;
static long nodes(const node *tree) {
  if (!tree)
    return 0;
  long a = cilk_spawn nodes(tree->left);
  long b = nodes(tree->right);
  cilk_sync;
  return a + b + tree->value;
}

// What goes along a string finds the next letter beside the last.
// CHECK-DAG: :[[#@LINE+1]]:1: remark: 'matches.batch.reduce' is not used for batches: that takes about
static long matches(const char *pattern, const char *text) {
  if (!*pattern)
    return !*text;
  if (*pattern == '*') {
    long fewer = cilk_spawn matches(pattern + 1, text);
    long more = *text ? matches(pattern, text + 1) : 0;
    cilk_sync;
    return fewer + more;
  }
  if (*text && (*pattern == '?' || *pattern == *text))
    return matches(pattern + 1, text + 1);
  return 0;
}

int main(void) {
  static const char letters[32] = "as many letters as it is deep.";
  static const int none[LENGTH];
  for (int n = 4; n < 9; ++n)
    printf("%d %d %d\n", bits((1u << n) - 1, 0, 0, 0),
           place(n, 0, (board){{0}}), boards(n, 0, none));
  for (int n = 0; n < 20; ++n)
    printf("%u %a\n", mixed(n, n), halves(n, n, letters, (short)n));
  static node all[100];
  for (int i = 1; i < 100; ++i)
    all[i] = (node){2 * i < 100 ? all + 2 * i : 0,
                    2 * i + 1 < 100 ? all + 2 * i + 1 : 0, i};
  printf("%ld\n", nodes(all + 1));
  printf("%ld\n", matches("*a*?*e*", letters));
  return 0;
}
