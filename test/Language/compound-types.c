//===- compound-types.c - Compound assignments to other types -----*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compound destinations of floating, complex, mixed and wide types, several
// pending together on fields of one object.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// LIBS: -lm

#include "../Support/check.h"
#include <cilk/cilk.h>
#include <complex.h>

static double real(double d) { return d; }
static double _Complex turn(int quarter) {
  double _Complex unit = quarter % 4 == 0   ? 1
                         : quarter % 4 == 1 ? I
                         : quarter % 4 == 2 ? -1
                                            : -I;
  if (quarter > 8) {
    unit *= cilk_spawn turn(quarter - 8);
    unit *= cilk_spawn turn(8);
    cilk_sync;
  }
  return unit;
}
static long double extended(long double e) { return e / 4; }
static long whole(long n) { return n; }

struct sums {
  float f;
  double d;
  long double e;
  double _Complex z;
  unsigned __int128 w;
  float list[3];
};

static void add(struct sums *s, int n) {
  for (int i = 1; i <= n; ++i) {
    s->f += cilk_spawn real(0.5 * i);
    s->d -= cilk_spawn whole(i);
    s->e *= cilk_spawn extended(8);
    s->z *= cilk_spawn turn(5);
    s->w *= cilk_spawn whole(3);
    s->list[i % 3] /= cilk_spawn real(2);
  }
}

int main(void) {
  struct sums s = {1, 2, 3, 1 + 1 * I, 1, {64, 64, 64}};
  const int n = 15;
  add(&s, n);
  unsigned __int128 power = 1;
  for (int i = 0; i < n; ++i)
    power *= 3;
  CHECK(s.f == 1 + 60);
  CHECK(s.d == 2 - 120);
  CHECK(s.e == 3.0L * 32768);
  CHECK(s.z == (1 + 1 * I) * -I);
  CHECK(s.w == power);
  CHECK(s.list[0] == 2 && s.list[1] == 2 && s.list[2] == 2);
  CHECK(turn(13) == -1);
  printf("%.1f %.1f\n", s.f, s.d);
  return 0;
}
