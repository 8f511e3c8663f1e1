//===- recursion.c - Recursion with memory of all kinds -----------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recursion with small and large results, mutual recursion, variable-length
// arrays and alloca, structs by value, lists in memory of malloc, and a board
// on the stack.  Prints "ok".
//
//===----------------------------------------------------------------------===//

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct board {
  int size;
  signed char queen[6];
};
struct node {
  struct node *left, *right;
  int value;
};

long fib(int n) {
  if (n < 2)
    return n;
  long a = cilk_spawn fib(n - 1);
  long b = fib(n - 2);
  cilk_sync;
  return a + b;
}

static int odd(int n);
static int even(int n) {
  if (n == 0)
    return 1;
  int a = cilk_spawn odd(n - 1), b = odd(n - 1);
  cilk_sync;
  return a & b;
}
static int odd(int n) {
  if (n == 0)
    return 0;
  int a = cilk_spawn even(n - 1), b = even(n - 1);
  cilk_sync;
  return a & b;
}

static int queens(struct board b, int n) {
  if (b.size == n)
    return 1;
  int count = 0;
  for (int column = 0; column < n; column++) {
    int fits = 1;
    for (int i = 0; i < b.size; i++) {
      int d = b.queen[i] - column;
      fits &= d != 0 && d != b.size - i && d != i - b.size;
    }
    if (fits) {
      b.queen[b.size] = (signed char)column;
      b.size++;
      count += cilk_spawn queens(b, n);
      b.size--;
    }
  }
  cilk_sync;
  return count;
}

static void sort(int *p, int n) {
  if (n < 2)
    return;
  int half = n / 2, merged[n];
  int *copy = __builtin_alloca((unsigned long)n * sizeof *copy);
  memcpy(copy, p, (unsigned long)n * sizeof *copy);
  cilk_spawn sort(copy, half);
  cilk_spawn sort(copy + half, n - half);
  cilk_sync;
  for (int i = 0, j = half, k = 0; k < n; k++)
    merged[k] =
        j == n || (i < half && copy[i] <= copy[j]) ? copy[i++] : copy[j++];
  memcpy(p, merged, sizeof merged);
}

static struct node *grow(int low, int high) {
  if (low == high)
    return NULL;
  int middle = low + (high - low) / 2;
  struct node *n = malloc(sizeof *n);
  if (!n)
    abort();
  n->value = middle;
  n->left = cilk_spawn grow(low, middle);
  n->right = grow(middle + 1, high);
  cilk_sync;
  return n;
}
static int fell(struct node *n) {
  if (!n)
    return 0;
  int a = cilk_spawn fell(n->left), b = fell(n->right);
  cilk_sync;
  int sum = a + b + n->value;
  free(n);
  return sum;
}

int main(void) {
  int numbers[21], sorted = 1, i;
  for (i = 0; i < 21; i++)
    numbers[i] = i * 8 % 21;
  struct board none;
  memset(&none, 0, sizeof none);
  long f = cilk_spawn fib(10);
  int e = cilk_spawn even(6);
  int q = cilk_spawn queens(none, 5);
  cilk_spawn sort(numbers, 21);
  int sum = fell(grow(0, 40));
  cilk_sync;
  for (i = 0; i < 21; i++)
    sorted &= numbers[i] == i;
  if (f != 55 || e != 1 || q != 10 || !sorted || sum != 780) {
    printf("wrong: %ld, %d, %d, %d, %d\n", f, e, q, sorted, sum);
    return 1;
  }
  printf("ok\n");
  return 0;
}
