//===- address-taken.c - Children write the parent's locals -------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Addresses of locals, parameters, arrays, struct members and of array elements
// in the middle are passed to children, to their children, and read after the
// sync; pointers into the frame live across syncs.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>

struct result {
  long sum;
  struct {
    int low, high;
  } range;
};

/* A list through the frames of all ancestors. */
struct ancestor {
  int value;
  struct ancestor *parent;
};

static void increment(int *p) { ++*p; }

static void add_up(const int *values, int count, struct result *out) {
  if (count == 1) {
    out->sum = values[0];
    out->range.low = out->range.high = values[0];
    return;
  }
  struct result part[2];
  cilk_spawn add_up(values, count / 2, &part[0]);
  cilk_spawn add_up(values + count / 2, count - count / 2, part + 1);
  cilk_sync;
  out->sum = part[0].sum + part[1].sum;
  out->range.low = part[part[1].range.low < part[0].range.low].range.low;
  out->range.high = part[part[1].range.high > part[0].range.high].range.high;
}

static int climb(struct ancestor *parent, int n) {
  struct ancestor me = {n, parent};
  if (n == 0) {
    int sum = 0;
    for (struct ancestor *a = &me; a; a = a->parent)
      sum += a->value;
    return sum;
  }
  int a = cilk_spawn climb(&me, n - 1);
  int b = cilk_spawn climb(&me, n - 1);
  cilk_sync;
  return a + b;
}

static int parameters(int n, int array[4]) {
  int *inside = &array[2], local[16] = {0}, *kept = local + n;
  cilk_spawn increment(&n);
  cilk_spawn increment(inside);
  cilk_sync;
  for (int i = 0; i < 16; ++i)
    cilk_spawn increment(&local[i]);
  cilk_sync;
  cilk_spawn increment(kept);
  cilk_sync;
  CHECK_EQUAL(*kept, 2);
  CHECK_EQUAL(kept[1], 1);
  return n + *inside + (int)(kept - local);
}

/* Each activation in a loop has one such block-scope object, so a sync comes
   before the next iteration writes it. */
static int block_scope(int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    int here = i, *p = &here;
    cilk_spawn increment(p);
    cilk_sync;
    sum += here;
  }
  return sum;
}

int main(void) {
  enum { Count = 500 };
  int values[Count];
  long sum = 0;
  for (int i = 0; i < Count; ++i)
    sum += values[i] = (int)(scramble(i) % 5000) - 2000;
  struct result r;
  add_up(values, Count, &r);
  CHECK_EQUAL(r.sum, sum);
  for (int i = 0; i < Count; ++i)
    CHECK(r.range.low <= values[i] && values[i] <= r.range.high);
  CHECK_EQUAL(climb(NULL, 9), 512 * 45);
  int array[4] = {0, 0, 10, 0};
  CHECK_EQUAL(parameters(3, array), 4 + 11 + 3);
  CHECK_EQUAL(block_scope(20), 210);
  printf("%ld %d %d\n", r.sum, r.range.low, r.range.high);
  return 0;
}
