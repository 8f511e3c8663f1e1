//===- wild-alloca-board.c - A board per iteration ----------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// "Spawn in a loop into count[i] with an alloca'ed board per iteration": each
// child must find the board of its own iteration, however late it runs.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"
#include <alloca.h>
#include <cilk/cilk.h>
#include <string.h>

/* The permutations of n letters in which no letter stays at its place. */
static int derangements(int n, int placed, const char *prefix) {
  if (placed == n)
    return 1;
  int *count = alloca(n * sizeof *count);
  memset(count, 0, n * sizeof *count);
  for (int letter = 0; letter < n; ++letter) {
    if (letter == placed || memchr(prefix, letter, placed))
      continue;
    char *longer = alloca(placed + 1);
    memcpy(longer, prefix, placed);
    longer[placed] = (char)letter;
    count[letter] = cilk_spawn derangements(n, placed + 1, longer);
  }
  cilk_sync;
  int sum = 0;
  for (int letter = 0; letter < n; ++letter)
    sum += count[letter];
  return sum;
}

int main(int argc, char **argv) {
  int n = (int)argument(argc, argv, 1, 7);
  long expected = 1;
  for (int i = 1; i <= n; ++i)
    expected = expected * i + (i % 2 ? -1 : 1);
  int found = derangements(n, 0, "");
  CHECK_EQUAL(found, expected);
  printf("%d derangements\n", found);
  return 0;
}
