//===- destination-none.c - Results that nobody wants -------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Results of all sizes discarded, by a plain statement and by a cast to void,
// and void functions.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>

struct large {
  long v[8];
};

static int done[6];

static int gives_int(int i) { return ++done[i]; }
static double gives_double(int i) { return ++done[i]; }
static long double gives_extended(int i) { return ++done[i]; }
static void gives_nothing(int i) { ++done[i]; }
static struct large gives_struct(int i) {
  struct large l = {{++done[i]}};
  return l;
}
static struct large gives_struct_later(int i, int depth) {
  struct large l = {{0}};
  if (depth)
    cilk_spawn gives_struct_later(i, depth - 1);
  else
    (void)cilk_spawn gives_int(i);
  cilk_sync;
  l.v[3] = i;
  return l;
}

static void discard(void) {
  cilk_spawn gives_int(0);
  (void)cilk_spawn gives_double(1);
  cilk_spawn gives_extended(2);
  cilk_spawn gives_nothing(3);
  cilk_spawn gives_struct(4);
  (void)cilk_spawn gives_struct_later(5, 4);
}

int main(void) {
  for (int round = 1; round < 4; ++round) {
    discard();
    for (int i = 0; i < 6; ++i)
      CHECK_EQUAL(done[i], round);
  }
  puts("discarded");
  return 0;
}
