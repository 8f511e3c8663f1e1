//===- alloca-frames.c - alloca lives until the function returns --*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory from alloca: in loops, after syncs, in branches, of size zero, large,
// aligned, and handed to children that run much later.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"
#include <alloca.h>
#include <cilk/cilk.h>
#include <string.h>

struct link {
  int value;
  struct link *next;
};

static int length(const struct link *list) {
  int n = 0;
  for (; list; list = list->next)
    n += list->value;
  return n;
}

/* The list grows while children look at its older part. */
static long growing(int n) {
  struct link *list = NULL;
  long sum = 0;
  for (int i = 0; i < n; ++i) {
    struct link *l = alloca(sizeof *l);
    l->value = i;
    l->next = list;
    list = l;
    sum += cilk_spawn length(list);
    if (i % 10 == 9)
      cilk_sync;
  }
  cilk_sync;
  return sum;
}

static void fill(char *p, int value, long size) { memset(p, value, size); }

static long shapes(int n) {
  char *none = alloca(0), *large = NULL;
  if (n % 2)
    large = alloca(20000);
  (void)none;
  long size = large ? 20000 : 100;
  if (!large)
    large = alloca(size);
  cilk_spawn fill(large, n, size);
  long below = n ? cilk_spawn shapes(n - 1) : 0;
  char *behind = alloca(n + 1);
  cilk_spawn fill(behind, n, n + 1);
  cilk_sync;
  long *words = alloca(4 * sizeof *words);
  words[0] = large[0] + large[size - 1];
  words[3] = behind[0] + behind[n];
  return below + words[0] + words[3];
}

int main(void) {
  long sum = 0;
  for (int i = 0; i < 100; ++i)
    sum += i * (i + 1) / 2;
  CHECK_EQUAL(growing(100), sum);
  CHECK_EQUAL(shapes(30), 4 * 30 * 31 / 2);
  printf("%ld\n", sum);
  return 0;
}
