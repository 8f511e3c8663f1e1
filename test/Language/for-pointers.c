//===- for-pointers.c - Pointers that loops capture ---------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bodies of loops reach one object in two ways: by a pointer that another body
// kept, by two variables that are sometimes equal, or by variables that have
// been swapped.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>

enum { count = 100 };

static int *kept;
static int *numbers(void) {
  int *memory = calloc(2 * count, sizeof(int));
  CHECK(memory);
  return memory;
}
static int total(const int *values) {
  int sum = 0;
  for (int i = 0; i < count; ++i)
    sum += values[i];
  return sum;
}

/// What is written by `kept` is read by `all`, between two loops' bodies.
static int keptByOther(int n) {
  int *all = numbers(), *found = numbers();
  cilk_for (int i = 0; i < n; ++i)
    if (i == n / 2)
      kept = all;
  cilk_for (int i = 0; i < n; ++i) {
    all[i] = 1;
    kept[i] = 2;
    found[i] = all[i];
  }
  int sum = total(found);
  free(all);
  free(found);
  return sum;
}

static void keep(int *values, int n) {
  cilk_for (int i = 0; i < n; ++i)
    if (i == n / 2)
      kept = values;
}
static void readBack(int *values, int *found, int n) {
  cilk_for (int i = 0; i < n; ++i) {
    values[i] = 1;
    kept[i] = 2;
    found[i] = values[i];
  }
}
static int keptByCallee(int n) {
  int *all = numbers(), *found = numbers();
  keep(all, n);
  readBack(all, found, n);
  int sum = total(found);
  free(all);
  free(found);
  return sum;
}

static void addShifted(int *to, const int *from, int n) {
  cilk_for (int i = 0; i < n; ++i) {
    to[i] = 1;
    to[i] += from[i];
    to[i] += from[i];
  }
}
/// The two are swapped at first, and the same later.
static int becomeOne(int n, int rounds) {
  int *a = numbers(), *b = numbers();
  int *to = a, *from = b;
  for (int round = 0; round < rounds; ++round) {
    addShifted(to, from, n);
    int *before = to;
    to = from;
    if (round % 2)
      from = before;
  }
  int sum = total(a) + total(b);
  free(a);
  free(b);
  return sum;
}
/// One of them lags behind the other.
static int lag(int n, int rounds) {
  int *a = numbers(), *b = numbers(), *last = numbers(), *unused = last;
  int sum = 0;
  for (int round = 0; round < rounds; ++round) {
    int *now = round % 2 ? a : b;
    cilk_for (int i = 0; i < n; ++i) {
      now[i] = 1;
      now[i] += last[i];
      now[i] += last[i];
    }
    if (round % 3)
      last = now;
    sum += total(now);
  }
  free(a);
  free(b);
  free(unused);
  return sum;
}
/// Parts of one object, in two variables that are passed round with another.
static int overlap(int n, int rounds) {
  int *memory = numbers(), *other = numbers();
  int *to = memory, *from = memory + n / 2, *next = other;
  int sum = 0;
  for (int round = 0; round < rounds; ++round) {
    // Where they overlap, each iteration reads what it has written.
    cilk_for (int i = n / 2; i < n; ++i) {
      to[i] = round;
      from[i - n / 2] = 2;
      from[i - n / 2] += to[i];
    }
    sum += total(memory) + total(other);
    int *before = to;
    to = from;
    from = next;
    next = before;
  }
  free(memory);
  free(other);
  return sum;
}

int main(void) {
  CHECK_EQUAL(keptByOther(count), 2 * count);
  CHECK_EQUAL(keptByCallee(count), 2 * count);
  CHECK_EQUAL(becomeOne(count, 1), count);
  CHECK_EQUAL(becomeOne(count, 2), (1 + 4) * count);
  CHECK_EQUAL(lag(count, 5), (1 + 1 + 3 + 7 + 4) * count);
  CHECK_EQUAL(overlap(count, 3), 1200);
  return 0;
}
