//===- editdistance.c - Edit distance by plain recursion ----------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The edit distance of two words straight from its definition: delete, insert
// or replace the first letter, and take the best of the three. The argument is
// the length of the words.
//
// grain: fine
//
//===----------------------------------------------------------------------===//

#include "../loops/loops.h"

static int min(int a, int b) { return a < b ? a : b; }

int distance(const char *a, const char *b) {
  if (*a == '\0')
    return (int)strlen(b);
  if (*b == '\0')
    return (int)strlen(a);
  if (*a == *b)
    return distance(a + 1, b + 1);

  int deleted = cilk_spawn distance(a + 1, b);
  int inserted = cilk_spawn distance(a, b + 1);
  int replaced = distance(a + 1, b + 1);
  cilk_sync;
  return 1 + min(replaced, min(deleted, inserted));
}

int main(int argc, char **argv) {
  long length = first_argument(argc, argv, 12, 5);
  char *one = malloc(length + 1), *other = malloc(length + 1);
  CHECK(one && other);
  for (long i = 0; i < length; i++) {
    one[i] = (char)('a' + scramble(i) % 8);
    other[i] = (char)('a' + scramble(i + 1000) % 8);
  }
  one[length] = other[length] = '\0';

  stopwatch watch = stopwatch_start();
  int result = distance(one, other);
  stopwatch_stop(watch);

  printf("%s and %s: %d\n", one, other, result);
  free(one);
  free(other);
  return 0;
}
