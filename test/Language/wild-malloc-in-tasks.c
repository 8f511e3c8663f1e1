//===- wild-malloc-in-tasks.c - malloc and free in tasks ----------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// "malloc/free in tasks": memory allocated by a child is used and freed by its
// parent after the sync, and the other way round.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// VGIW-SAMPLE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>
#include <string.h>

static char *spell(int n) {
  if (n == 0)
    return strcpy(malloc(2), "-");
  char *left = cilk_spawn spell(n / 3), *right = cilk_spawn spell((n - 1) / 2);
  char *digit = malloc(2);
  digit[0] = (char)('0' + n % 10);
  digit[1] = 0;
  cilk_sync;
  size_t size = strlen(left) + strlen(right) + strlen(digit) + 1;
  char *all = malloc(size);
  snprintf(all, size, "%s%s%s", left, digit, right);
  free(left);
  free(right);
  free(digit);
  return all;
}

static void spell_serially(int n, char **end) {
  if (n == 0) {
    *(*end)++ = '-';
    return;
  }
  spell_serially(n / 3, end);
  *(*end)++ = (char)('0' + n % 10);
  spell_serially((n - 1) / 2, end);
}

static long consume(long *values, int count) {
  long sum = 0;
  for (int i = 0; i < count; ++i)
    sum += values[i];
  free(values);
  return sum;
}

static long produce(int rounds) {
  long sum = 0;
  for (int i = 0; i < rounds; ++i) {
    int count = i % 9 + 1;
    long *values = malloc(count * sizeof *values);
    for (int k = 0; k < count; ++k)
      values[k] = i;
    sum += cilk_spawn consume(values, count);
  }
  cilk_sync;
  return sum;
}

int main(void) {
  static char expected[4096];
  char *end = expected;
  spell_serially(300, &end);
  char *found = spell(300);
  CHECK(strcmp(found, expected) == 0);
  long sum = 0;
  for (int i = 0; i < 5000; ++i)
    sum += (long)i * (i % 9 + 1);
  CHECK_EQUAL(produce(5000), sum);
  printf("%.20s... (%zu)\n", found, strlen(found));
  free(found);
  return 0;
}
