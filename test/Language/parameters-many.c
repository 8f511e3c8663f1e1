//===- parameters-many.c - More than sixteen parameters -----------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// More parameters than registers, of all kinds, used before and after the sync,
// changed after the spawn, and with their addresses taken.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>

static double many(int n, char a, short b, long c, float d, double e, int *f,
                   unsigned char g, signed char h, unsigned short i,
                   long double j, _Bool k, long long l, double m, double o,
                   double p, double q, double r, double s, float t, int u,
                   const char *v) {
  double below = 0;
  if (n > 0)
    below = cilk_spawn many(n - 1, a, b, c + 1, d, e, f, g, h, i, j, k, l, m, o,
                            p, q, r, s + 1, t, u, v + 1);
  long after = c;
  c = -1;
  s += 0.5;
  cilk_sync;
  CHECK_EQUAL(c, -1);
  return below + n + a + b + after + d + e + *f + g + h + i + (double)j + k +
         l + m + o + p + q + r + s + t + u + *v;
}

static void bump(int *x) { ++*x; }

static int addresses(int a, int b, int c, int d, int e, int f, int g, int h,
                     int i) {
  int *all[] = {&a, &b, &c, &d, &e, &f, &g, &h, &i};
  for (int k = 0; k < 9; ++k)
    cilk_spawn bump(all[k]);
  cilk_sync;
  int sum = 0;
  for (int k = 0; k < 9; ++k)
    sum = sum * 10 + *all[k];
  return sum;
}

int main(void) {
  int f = 6;
  double sum = many(3, 'a', 2, 3, 4.5f, 5.5, &f, 255, -8, 65535, 10.25L, 1, 12,
                    13, 14, 15, 16, 17, 18, 19.5f, 20, "wxyz");
  double each = 'a' + 2 + 4.5 + 5.5 + 6 + 255 - 8 + 65535 + 10.25 + 1 + 12 +
                13 + 14 + 15 + 16 + 17 + 19.5 + 20 + 0.5;
  double expected = 4 * each + (0 + 1 + 2 + 3) + (3 + 4 + 5 + 6) +
                    (18 + 19 + 20 + 21) + 'w' + 'x' + 'y' + 'z';
  CHECK(sum == expected);
  CHECK_EQUAL(addresses(0, 1, 2, 3, 4, 5, 6, 7, 8), 123456789);
  printf("%.2f\n", sum);
  return 0;
}
