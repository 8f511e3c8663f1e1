//===- struct-huge.c - Structs of kilobytes by value --------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Structs of several kilobytes as arguments, results and destinations, in a
// recursion and in a loop.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>

struct page {
  unsigned words[1000];
};

static struct page blank(unsigned seed) {
  struct page p;
  for (unsigned i = 0; i < 1000; ++i)
    p.words[i] = seed + i;
  return p;
}

static struct page join(struct page a, struct page b) {
  for (int i = 0; i < 1000; ++i)
    a.words[i] ^= b.words[999 - i] * 3;
  return a;
}

static struct page tree(int n, struct page above) {
  if (n == 0)
    return above;
  struct page left, right;
  left = cilk_spawn tree(n - 1, above);
  above.words[n] += 17;
  right = cilk_spawn tree(n - 1, above);
  cilk_sync;
  left = cilk_spawn join(left, right);
  cilk_sync;
  return left;
}

static struct page tree_serially(int n, struct page above) {
  if (n == 0)
    return above;
  struct page left = tree_serially(n - 1, above);
  above.words[n] += 17;
  return join(left, tree_serially(n - 1, above));
}

static unsigned row(int n) {
  struct page pages[5];
  unsigned sum = 0;
  for (int i = 0; i < n; ++i)
    pages[i] = cilk_spawn blank(100 * i);
  cilk_sync;
  for (int i = 0; i < n; ++i)
    sum += pages[i].words[999];
  return sum;
}

int main(void) {
  struct page start = blank(3), found = tree(5, start);
  struct page expected = tree_serially(5, start);
  for (int i = 0; i < 1000; ++i)
    CHECK_EQUAL(found.words[i], expected.words[i]);
  CHECK_EQUAL(row(5), 5 * 999 + 1000);
  printf("%u\n", found.words[0]);
  return 0;
}
