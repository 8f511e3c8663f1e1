//===- for-captures.c - what a cilk_for body sees of its function -*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The body sees locals, parameters, arrays, variable-length ones and structs of
// the function around it by reference, and has its own in each iteration.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>

typedef struct {
  int factor;
  long sums[4];
  struct {
    unsigned low : 5, high : 9;
  } bits;
} Record;

static unsigned long arrays(int n, Record record, const int *input) {
  long fixed[64], variable[n];
  int table[n][3];
  Record *pointer = &record;
  cilk_for (int i = 0; i < n; i++) {
    fixed[i] = input[i] * record.factor;
    variable[i] = fixed[i] + sizeof table[0];
    for (int k = 0; k < 3; k++)
      table[i][k] = i * k;
    __atomic_add_fetch(&pointer->sums[i % 4], i, __ATOMIC_RELAXED);
  }
  unsigned long result = 0;
  for (int i = 0; i < n; i++)
    result += variable[i] * 3 + table[i][2];
  for (int i = 0; i < 4; i++)
    result = result * 7 + record.sums[i];
  return result;
}

/// Types that depend on variables, in the body and around it.
static unsigned long types(int n, int m) {
  int (*rows)[m] = malloc(sizeof(int[n][m]));
  unsigned long result = 0;
  cilk_for (int i = 0; i < n; i++) {
    int local[i + m];
    int (*again)[m] = (int (*)[m])rows[i];
    for (int k = 0; k < m; k++)
      local[k + i] = again[0][k] = i * m + k;
    __atomic_add_fetch(&result, local[i + m - 1] + sizeof local / sizeof *local,
                       __ATOMIC_RELAXED);
    if (i % 3 == 0)
      continue;
    rows[i][0] = (int)(sizeof rows[0] / sizeof(int));
  }
  for (int i = 0; i < n; i++)
    result = result * 3 + rows[i][0] + rows[i][m - 1];
  free(rows);
  return result;
}

/// Every local that only some iterations, or all, change.
static unsigned long written(int n) {
  int found = -1, changed = 0, scratch;
  double sum = 0;
  long *last = NULL, cells[100] = {0};
  cilk_for (int i = 0; i < n; i++) {
    scratch = i * 2;
    cells[i] = scratch + 1;
    if (i == n / 2) {
      found = i;
      last = &cells[i];
    }
    __atomic_add_fetch(&changed, 1, __ATOMIC_RELAXED);
    if (i == 0)
      sum += 0.5;
  }
  return found + changed * 1000 + (long)(sum * 2) + *last;
}

static int cleaned;
static void clean(int *p) {
  __atomic_add_fetch(&cleaned, *p, __ATOMIC_RELAXED);
}

/// The body's own control flow, with objects to be left behind on the way.
static unsigned long flow(int n) {
  long kinds[5] = {0};
  {
    __attribute__((cleanup(clean))) int outside = 100000;
    if (n == 7)
      return 0;
    cilk_for (int i = 0; i < n; i++) {
      __attribute__((cleanup(clean))) int one = 1;
      int kind;
      if (i % 5 == 4)
        continue;
      switch (i % 7) {
      case 0:
        kind = 0;
        break;
      case 1:
      case 2: {
        __attribute__((cleanup(clean))) int ten = 10;
        char room[i + 1];
        room[i] = (char)i;
        if (room[i] % 2)
          goto odd;
        kind = 1;
        break;
      }
      default:
        kind = 2;
        for (int k = 0;; k++) {
          if (k > i)
            break;
          if (k == 3)
            goto next;
        }
      }
      goto store;
    odd:
      kind = 3;
      goto store;
    next:
      kind = 4;
    store:
      __atomic_add_fetch(&kinds[kind], i, __ATOMIC_RELAXED);
      do
        one *= 1;
      while (one > 1);
    }
    outside += 1;
  }
  unsigned long result = cleaned;
  for (int k = 0; k < 5; k++)
    result = result * 31 + kinds[k];
  return result;
}

static int counter(void) {
  static int count;
  return __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
}

/// Statement expressions, static locals, compound literals, names of functions.
static unsigned long expressions(int n) {
  unsigned long result = 0;
  cilk_for (int i = ({ int z = 1; z - 1; }); i < ({ int m = n; m; }); i++) {
    static unsigned long calls;
    int square = ({
      int k = i;
      k *k;
    });
    Record r = (Record){.factor = square, .bits = {.low = i & 31}};
    __atomic_add_fetch(&calls, counter() > 0, __ATOMIC_RELAXED);
    __atomic_add_fetch(&result, r.factor + r.bits.low + __func__[0],
                       __ATOMIC_RELAXED);
  }
  int inner = ({
    int total = 0;
    cilk_for (int i = 0; i < n; i++)
      __atomic_add_fetch(&total, i, __ATOMIC_RELAXED);
    total;
  });
  return result + inner;
}

/// Several loops over the same locals, one after the other and in a loop.
static unsigned long phases(int n) {
  int a[n], b[n];
  cilk_for (int i = 0; i < n; i++)
    a[i] = i;
  for (int t = 0; t < 5; t++) {
    cilk_for (int i = 0; i < n; i++)
      b[i] = a[(i + 1) % n] + t;
    cilk_for (register int i = 0; i < n; i++)
      a[i] = b[(i + n - 1) % n] * 2;
  }
  unsigned long result = 0;
  for (int i = 0; i < n; i++)
    result = result * 3 + a[i];
  return result;
}

/// The address of the control variable, and one declared before.
static unsigned long control(int n) {
  long squares[n];
  unsigned long result = 0;
  int i;
  cilk_for (i = 0; i < n; i++) {
    int *p = &i;
    squares[*p] = *p * i;
  }
  for (int k = 0; k < i; k++)
    result += squares[k];
  return result * 1000 + i;
}

int main(void) {
  int input[64];
  for (int i = 0; i < 64; i++)
    input[i] = i * i % 17;
  printf("%lu\n", arrays(64, (Record){.factor = 3}, input));
  printf("%lu\n", types(40, 7));
  CHECK_EQUAL(written(100), 50 + 100000 + 1 + 101);
  printf("%lu\n", flow(100));
  printf("%lu\n", expressions(50));
  printf("%lu\n", phases(33));
  CHECK_EQUAL(control(20), 2470020);
  return 0;
}
