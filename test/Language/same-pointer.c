// same-pointer.c - A loop comes to one object by two variables.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// It was told of either that nothing else points there.

#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

static void restricted(int n, int *restrict p, int *out) {
  int *q = p;
  cilk_for (int i = 0; i < n; i++) {
    int before = q[i];
    p[i] = before + 1;
    out[i] = q[i];
  }
}

// A local array, and memory that only the callers know of.
static int table(int n, int *out) {
  int all[100] = {0}, *first = all, *second = all, sum = 0;
  cilk_for (int i = 0; i < n; i++) {
    int before = second[i % 100];
    first[i % 100] = before + 1;
    out[i] = second[i % 100];
  }
  for (int i = 0; i < n; i++)
    sum += out[i];
  return sum;
}
static void passed(int n, int *p, int *out) {
  int *q = p;
  cilk_for (int i = 0; i < n; i++) {
    int before = q[i];
    p[i] = before + 1;
    out[i] = q[i];
  }
}
static void both(int n, int *p, int *q, int *out) {
  cilk_for (int i = 0; i < n; i++) {
    int before = q[i];
    p[i] = before + 1;
    out[i] = q[i];
  }
}

int main(void) {
  int n = 1000;
  int *a = calloc(n, sizeof *a), *out = calloc(n, sizeof *out);
  long sum = 0;
  if (!a || !out)
    return 1;
  restricted(n, a, out);
  for (int i = 0; i < n; i++)
    sum += out[i];
  passed(n, a, out);
  for (int i = 0; i < n; i++)
    sum += out[i];
  both(n, a, a, out);
  for (int i = 0; i < n; i++)
    sum += out[i];
  printf("%ld %d\n", sum, table(100, out));
  free(a);
  free(out);
  return 0;
}
