//===- large-frames.c - Large and aligned local objects -----------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Locals of many kilobytes, over-aligned ones, and many small ones that live
// across a sync, in a recursion.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>
#include <stdint.h>
#include <string.h>

static void mark(unsigned char *page, int value) { memset(page, value, 4096); }

static long pages(int n) {
  unsigned char page[5][4096];
  _Alignas(64) int aligned = n;
  _Alignas(128) char line[3] = {1, 2, 3};
  long below = 0;
  for (int i = 0; i < 5; ++i)
    cilk_spawn mark(page[i], n + i);
  if (n > 0)
    below = cilk_spawn pages(n - 1);
  cilk_sync;
  CHECK((uintptr_t)&aligned % 64 == 0);
  CHECK((uintptr_t)line % 128 == 0);
  long sum = aligned + line[n % 3];
  for (int i = 0; i < 5; ++i) {
    CHECK_EQUAL(page[i][0], n + i);
    CHECK_EQUAL(page[i][4095], n + i);
    sum += page[i][i];
  }
  return sum + below;
}

static int id(int n) { return n; }

static long many_values(int n) {
  char a = (char)(n + 1);
  short b = (short)(n * 3);
  int c = n * n;
  long d = n * 1000000007L;
  float e = n / 2.0f;
  double f = n / 3.0;
  long double g = n / 4.0L;
  _Bool h = n % 2;
  char *p = &a;
  double *q = &f;
  unsigned i = (unsigned)n << 20;
  int x = cilk_spawn id(n);
  cilk_sync;
  long first = *p + b + c + d + (long)(e + *q + (double)g) + h + i + x;
  int y = n > 0 ? (int)(first % 1000) : 0;
  y += cilk_spawn id(1);
  cilk_sync;
  return first + y + *p + b + c + d + (long)(e * *q + (double)g) + h + i;
}

static long many_values_serially(int n) {
  long constant =
      n + 1 + n * 3 + n * n + n * 1000000007L + n % 2 + ((unsigned)n << 20);
  float e = n / 2.0f;
  double f = n / 3.0, g = (double)(n / 4.0L);
  long first = constant + (long)(e + f + g) + n;
  return first + (n > 0 ? (int)(first % 1000) : 0) + 1 + constant +
         (long)(e * f + g);
}

int main(void) {
  long expected = 0;
  for (int n = 0; n <= 20; ++n)
    expected += n + n % 3 + 1 + 5 * n + 10;
  CHECK_EQUAL(pages(20), expected);
  for (int n = 0; n < 50; ++n)
    CHECK_EQUAL(many_values(n), many_values_serially(n));
  printf("%ld\n", expected);
  return 0;
}
