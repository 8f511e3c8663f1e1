//===- wild-varargs.c - Varargs outside tasks ---------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// "getopt-like varargs outside tasks": main reads its options with getopt, and
// the parent of tasks formats with printf-like functions of its own.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// ARGS: -n 14 -v
// VGIW-SAMPLE: yes

#define _POSIX_C_SOURCE 200809L
#include "../Support/check.h"
#include <cilk/cilk.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

static int join(char *out, size_t size, int count, ...) {
  va_list list;
  size_t used = 0;
  va_start(list, count);
  for (int i = 0; i < count; ++i)
    used += snprintf(out + used, size - used, "%d,", va_arg(list, int));
  va_end(list);
  return (int)used;
}

static int pell(int n) {
  if (n < 2)
    return n;
  int a = cilk_spawn pell(n - 1);
  int b = cilk_spawn pell(n - 2);
  char text[64];
  int length = join(text, sizeof text, 3, n, n - 1, n - 2);
  CHECK_EQUAL(strlen(text), length);
  cilk_sync;
  return 2 * a + b;
}

int main(int argc, char **argv) {
  int n = 5, verbose = 0, option;
  while ((option = getopt(argc, argv, "n:v")) != -1) {
    if (option == 'n')
      n = atoi(optarg);
    else if (option == 'v')
      verbose = 1;
    else
      return 2;
  }
  int expected = 0, next = 1;
  for (int i = 0; i < n; ++i) {
    int sum = 2 * next + expected;
    expected = next;
    next = sum;
  }
  CHECK_EQUAL(pell(n), expected);
  if (verbose)
    printf("pell(%d) = %d\n", n, pell(n));
  return 0;
}
