// freed-again.c - Small memory that the function that spawns frees itself.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// It is a local object where all ways to the end free it.
// SANITIZE: yes

#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Results of children.
static int results(int n, unsigned x) {
  if (n == 0)
    return x % 7;
  int *of = malloc(4 * sizeof *of);
  if (!of)
    abort();
  cilk_for (int i = 0; i < 4; i++)
    of[i] = 3 - results(n - 1, x * 4 + i);
  int sum = of[0] + of[1] * 2 + of[2] * 3 + of[3];
  free(of);
  return sum;
}

// A board for each child, one after the other; where there is none, no child.
static int queens(const char *board, int row) {
  int sum = 0;
  if (row == 7)
    return 1;
  for (int i = 0; i < 7; i++) {
    int attacked = 0, of;
    for (int k = 0; k < row; k++)
      attacked |=
          board[k] == i || board[k] - i == row - k || i - board[k] == row - k;
    if (attacked)
      continue;
    char *next = malloc(8);
    if (!next)
      return -1;
    memcpy(next, board, row);
    next[row] = i;
    of = cilk_spawn queens(next, row + 1);
    cilk_sync;
    free(next);
    sum += of;
  }
  return sum;
}

// Cleared, and counted into by the children.
struct count {
  long even, odd;
};
static void count(int n, struct count *into) {
  if (n < 2) {
    *(n ? &into->odd : &into->even) += 1;
    return;
  }
  struct count *left = calloc(1, sizeof *left);
  struct count *right = calloc(2, sizeof *right);
  cilk_spawn count(n - 1, left);
  cilk_spawn count(n - 2, right + 1);
  cilk_sync;
  into->even += left->even + right[1].even;
  into->odd += left->odd + right[1].odd + right[0].odd;
  free(right);
  free(left);
}

// Not freed by all ways: who is given it frees it, or it is the result.
struct node {
  struct node *less, *more;
  int value;
};
static struct node *grow(int from, int to) {
  if (from >= to)
    return NULL;
  struct node *n = malloc(sizeof *n);
  n->value = from + (to - from) / 2;
  n->less = cilk_spawn grow(from, n->value);
  n->more = cilk_spawn grow(n->value + 1, to);
  cilk_sync;
  if (n->value % 5 == 0 && !n->less && !n->more) {
    free(n);
    return NULL;
  }
  return n;
}
static int consume(struct node *n) {
  if (!n)
    return 0;
  int less = cilk_spawn consume(n->less);
  int more = cilk_spawn consume(n->more);
  cilk_sync;
  int sum = less + more + n->value;
  free(n);
  return sum;
}

// Grown by who needs more: the first is freed there.
static int longer(int n) {
  if (n < 2)
    return n;
  int *of = malloc(2 * sizeof *of), sum = 0;
  of[0] = n;
  if (n % 3 == 0)
    of = realloc(of, 64 * sizeof *of);
  int a = cilk_spawn longer(n - 1);
  of[1] = cilk_spawn longer(n - 2);
  cilk_sync;
  sum = of[0] + of[1] + a;
  free(of);
  return sum;
}

// All live until the loop is over.
static int several(int n) {
  if (n == 0)
    return 1;
  int *of[3], sum = 0;
  for (int i = 0; i < 3; i++) {
    of[i] = malloc(sizeof **of);
    *of[i] = cilk_spawn several(n - 1);
  }
  cilk_sync;
  for (int i = 0; i < 3; i++) {
    sum += *of[i] * (i + 1);
    free(of[i]);
  }
  return sum % 10007;
}

// Freed by who is called, which then ends the program.
static void finish(long *at, int n) {
  if (n > 0) {
    cilk_spawn finish(at, n - 1);
    cilk_sync;
    return;
  }
  long last = *at;
  free(at);
  printf("%ld\n", last);
  exit(0);
}
static void begin(long n) {
  long *at = malloc(sizeof *at);
  *at = n;
  cilk_spawn finish(at, 3);
  cilk_sync;
  free(at);
}

int main(void) {
  char none[8] = {0};
  struct count all = {0, 0};
  count(22, &all);
  printf("%d %d %ld %ld ", results(8, 1), queens(none, 0), all.even, all.odd);
  printf("%d ", consume(grow(0, 20000)));
  printf("%d %d ", longer(22), several(10));
  begin(77);
  return 0;
}
