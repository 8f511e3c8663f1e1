// -fno-chan-spawn-iterations leaves parallel loops in recursion alone.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -w -O2 -g -march=x86-64-v3 -Rpass=chan %s -o %t 2>&1 \
// RUN:   | FileCheck --check-prefix=ON %s
// RUN: CHAN_WORKERS=2 %t | FileCheck --check-prefix=ANSWER %s
// RUN: cilk2chan -w -O2 -march=x86-64-v3 -fno-chan-spawn-iterations -Rpass=chan \
// RUN:   -Rpass-missed=chan-batch %s -o %t.off 2>&1 \
// RUN:   | FileCheck --check-prefix=OFF --implicit-check-not='one by one' %s
// RUN: CHAN_WORKERS=2 %t.off | FileCheck --check-prefix=ANSWER %s
// Where code is not optimised there is nothing to gain.
// RUN: cilk2chan -w -O0 -g -Rpass=chan-iterations -Rpass=chan-arrays %s -o %t.plain 2>&1 | count 0
// RUN: CHAN_WORKERS=2 %t.plain | FileCheck --check-prefix=ANSWER %s

#include <stdio.h>
#include <string.h>
// ON-DAG: 'queens.batch.reduce' treats
// OFF: 'queens' has no batch form
static int queens(int n, unsigned taken, unsigned left, unsigned right, int y) {
  if (y == n)
    return 1;
  int found[n];
  // ON-DAG: iterations.c:[[# @LINE + 1]]:3: remark: iterations of the cilk_for are spawned one by one
  cilk_for (int x = 0; x < n; x++) {
    unsigned bit = 1u << x;
    found[x] = 0;
    if (!((taken | left | right) & bit))
      found[x] = queens(n, taken | bit, (left | bit) << 1, (right | bit) >> 1,
                        y + 1);
  }
  int sum = 0;
  for (int x = 0; x < n; x++)
    sum += found[x];
  return sum;
}

/* A test of each pair is a nest that is short enough for an iteration. */
static int ok(int n, const char *board) {
  for (int i = 0; i < n; i++) {
    char p = board[i];
    for (int j = i + 1; j < n; j++) {
      char q = board[j];
      if (q == p || q == p - (j - i) || q == p + (j - i))
        return 0;
    }
  }
  return 1;
}
// ON-DAG: 'pairs.byval.batch.0' treats
static int pairs(int n, int y, const char *board) {
  if (y == n)
    return 1;
  int found[32];
  // ON-DAG: iterations.c:[[# @LINE + 1]]:3: remark: iterations of the cilk_for are spawned one by one if their objects go by value
  cilk_for (int x = 0; x < n; x++) {
    char next[32];
    memcpy(next, board, y);
    next[y] = x;
    found[x] = ok(y + 1, next) ? pairs(n, y + 1, next) : 0;
  }
  int sum = 0;
  for (int x = 0; x < n; x++)
    sum += found[x];
  return sum;
}

/* The outer loop reads no element by itself: its last turn has no pair. */
static int differ(int n, const int *board) {
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++) {
      int d = board[j] - board[i];
      if (d == 0 || d == j - i || d == i - j)
        return 0;
    }
  return 1;
}
// ON-DAG: 'late.byval.batch.0' treats
static int late(int n, int y, const int *board) {
  if (y == n)
    return 1;
  int found[16];
  // ON-DAG: iterations.c:[[# @LINE + 1]]:3: remark: iterations of the cilk_for are spawned one by one if their objects go by value
  cilk_for (int x = 0; x < n; x++) {
    int next[16];
    for (int i = 0; i < y; i++)
      next[i] = board[i];
    next[y] = x;
    found[x] = differ(y + 1, next) ? late(n, y + 1, next) : 0;
  }
  int sum = 0;
  for (int x = 0; x < n; x++)
    sum += found[x];
  return sum;
}

int main(void) {
  int none[16];
  // ANSWER: 724
  // ANSWER-NEXT: 92
  printf("%d\n", queens(10, 0, 0, 0, 0));
  printf("%d\n", pairs(8, 0, ""));
  // ANSWER-NEXT: 40
  printf("%d\n", late(7, 0, none));
}
