// light-loops.c - Loops that are serial because they are short.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -w -fcilk-serialize -O1 %s -o %t.serial
// RUN: %t.serial > %t.want
// RUN: cilk2chan -O2 -Werror %s -o %t
// RUN: %t | diff %t.want -
// RUN: cilk2chan -O1 -g -fno-chan-serial-clones %s -o %t.1
// RUN: CHAN_WORKERS=2 %t.1 | diff %t.want -
// RUN: cilk2chan -O3 -march=native -fchan-batch %s -o %t.3
// RUN: CHAN_WORKERS=1 %t.3 | diff %t.want -
// RUN: cilk2chan -O2 -fno-chan-below-grain %s -o %t.not
// RUN: %t.not | diff %t.want -
// RUN: cilk2chan -O2 -c -o %t.o %s -Rpass=chan-below-grain 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=remark:

#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

static __attribute__((noinline)) int scale(int x) {
  static volatile int zero;
  return x * 3 + zero;
}

/// Loops in a loop that is not short; of `scale` nobody knows how long it takes.
static void blur(const unsigned char *in, unsigned char *out, int n) {
  cilk_for (int y = 1; y < n - 1; y++)
    for (int x = 1; x < n - 1; x++) {
      int t[3][3], u[2];
      // CHECK-DAG: [[@LINE+1]]:7: remark: a cilk_for of 3 iterations is a serial loop: it ends before another worker could help [-Rpass=chan-below-grain]
      cilk_for (int i = 0; i < 3; i++)
        // CHECK-DAG: [[@LINE+1]]:9: remark: a cilk_for of 3 iterations is a serial loop
        cilk_for (int j = 0; j < 3; j++)
          t[i][j] = in[(y + i - 1) * n + x + j - 1] * (2 - abs(i - 1)) *
                    (2 - abs(j - 1));
      cilk_for (int i = 0; i < 2; i++)
        u[i] = scale(x + y * i);
      int s = u[0] ^ u[1];
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
          s += t[i][j];
      out[y * n + x] = s / 16;
    }
}

/// In recursion, beside spawns; downwards, by steps, and not at all.
static long walk(int d, long x) {
  long r[4] = {x, 1, 2, 3};
  if (d == 0)
    return x;
  // CHECK-DAG: [[@LINE+1]]:3: remark: a cilk_for of 2 iterations is a serial loop
  cilk_for (int i = 3; i >= 1; i -= 2)
    r[i] = r[i] * x + i;
  // CHECK-DAG: [[@LINE+1]]:3: remark: a cilk_for of 0 iterations is a serial loop
  cilk_for (int i = 4; i < 4; i++)
    r[i] = 0;
  long a = cilk_spawn walk(d - 1, r[1]);
  long b = cilk_spawn walk(d - 1, r[3]);
  // A child's object is shared, and a variable changes.
  // CHECK-DAG: [[@LINE+1]]:3: remark: a cilk_for of 1 iteration is a serial loop
  cilk_for (int i = 0; i < 1; i++)
    r[2] += r[0];
  cilk_sync;
  return a + 3 * b + r[2];
}

/// How often it runs is known where `steps` is, and only there: simplifying makes
/// two of the loop.
static long a[16];
static void threaded(int steps) {
  int step = 1;
  if (steps)
    step = 4;
  else
    a[15]++;
  cilk_for (int i = 0; i < 8; i += step)
    a[i] += i + 1;
  if (steps)
    a[14]++;
}
/// On both ways it is the same.
static __attribute__((noinline)) void alike(int c) {
  if (c)
    a[13]++;
  // CHECK-DAG: [[@LINE+1]]:3: remark: a cilk_for of 5 iterations is a serial loop
  cilk_for (int i = 0; i < 5; i++)
    a[i] += i;
  if (c)
    a[12]++;
}

int main(void) {
  enum { n = 64 };
  threaded(0);
  for (int i = 0; i < 16; i++)
    printf("%ld ", a[i]);
  threaded(1);
  alike(0);
  alike(1);
  for (int i = 0; i < 16; i++)
    printf("%ld ", a[i]);

  unsigned char *in = malloc(n * n), *out = calloc(n, n);
  for (int i = 0; i < n * n; i++)
    in[i] = i * i + i / 7;
  blur(in, out, n);
  long s = 0;
  for (int i = 0; i < n * n; i++)
    s = s * 31 + out[i];
  printf("%ld %ld\n", s, walk(12, 5));
  free(in);
  free(out);
  return 0;
}
