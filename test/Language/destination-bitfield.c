//===- destination-bitfield.c - Bit-fields as destinations --------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bit-fields of all sorts as destinations. Two that share a memory location
// must not be written in parallel, so each is alone or is assigned in its own
// phase; neighbours in the same unit keep their values.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>

struct flags {
  unsigned low : 3;
  signed middle : 5;
  unsigned high : 9;
  _Bool truth : 1;
  unsigned : 0;
  unsigned long long wide : 40;
  int tail;
};

static int make(int n) {
  if (n > 1000)
    return n;
  int value = cilk_spawn make(n + 1000);
  cilk_sync;
  return value - 1000;
}

static unsigned long long make_wide(int n) { return 0x100000001ull * n; }

static void assign(struct flags *f, struct flags list[]) {
  f->low = cilk_spawn make(6);
  f->wide = cilk_spawn make_wide(77);
  f->tail = cilk_spawn make(123);
  cilk_sync;
  f->middle = cilk_spawn make(-11);
  cilk_sync;
  f->high = cilk_spawn make(511);
  cilk_sync;
  f->truth = cilk_spawn make(2);
  cilk_sync;
  for (int i = 0; i < 5; ++i)
    list[i].high = cilk_spawn make(100 * i);
}

static int local(void) {
  struct flags f = {1, -2, 3, 0, 4, 5};
  f.high = cilk_spawn make(300);
  cilk_sync;
  CHECK_EQUAL(f.low, 1);
  CHECK_EQUAL(f.middle, -2);
  f.high += cilk_spawn make(20);
  f.high -= cilk_spawn make(1);
  cilk_sync;
  /* Truncated to the field's width, as the assignment would. */
  f.low = cilk_spawn make(13);
  cilk_sync;
  CHECK_EQUAL(f.low, 5);
  CHECK_EQUAL(f.tail, 5);
  return (int)f.high;
}

int main(void) {
  struct flags f = {0}, list[5] = {{0}};
  list[3].low = 7;
  assign(&f, list);
  CHECK_EQUAL(f.low, 6);
  CHECK_EQUAL(f.middle, -11);
  CHECK_EQUAL(f.high, 511);
  CHECK_EQUAL(f.truth, 1);
  CHECK(f.wide == 77 * 0x100000001ull % (1ull << 40));
  CHECK_EQUAL(f.tail, 123);
  for (int i = 0; i < 5; ++i)
    CHECK_EQUAL(list[i].high, 100 * i);
  CHECK_EQUAL(list[3].low, 7);
  CHECK_EQUAL(local(), 319);
  printf("%d %d\n", (int)f.wide, local());
  return 0;
}
