//===- parent-keeps-working.c - Work between spawn and sync -------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Between a spawn and its sync the parent may do anything that C does: output,
// allocation, calls, inline assembly, setting its own memory.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>
#include <string.h>

static int triangle(int n) {
  int below = 0;
  if (n)
    below = cilk_spawn triangle(n - 1);
  cilk_sync;
  return below + n;
}

static int work(int n) {
  char *text = malloc(64);
  int a = cilk_spawn triangle(n);
  int written = snprintf(text, 64, "task %d", n);
  printf("%s\n", text);
  int b = cilk_spawn triangle(n + 1);
  int masked = n;
  __asm__ volatile("" : "+r"(masked) : : "memory");
  for (int i = 0; i < n; ++i)
    text[i % 4] = (char)('a' + i % 3);
  cilk_sync;
  int length = (int)strlen(text);
  CHECK_EQUAL(length, written);
  free(text);
  return a + b + masked;
}

int main(void) {
  int sum = 0;
  for (int n = 1; n < 6; ++n) {
    int result = work(n);
    CHECK_EQUAL(result, n * (n + 1) / 2 + (n + 1) * (n + 2) / 2 + n);
    sum += result;
  }
  printf("%d\n", sum);
  return 0;
}
