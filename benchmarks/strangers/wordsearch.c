//===- wordsearch.c - Finds a word in a field of letters ----------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts the ways to read a word in a square of letters, from any square on to
// any of its eight neighbours and never to the same square twice. The argument
// is the length of a side. The way so far is a list through the stack frames of
// the callers; the file wordsearch_helper.c has the field.
//
// grain: fine
//
//===----------------------------------------------------------------------===//

#include "wordsearch.h"
#include "../loops/loops.h"

static long read_on(const struct field *field, const struct way *way,
                    const char *rest) {
  if (!*rest)
    return 1;
  struct way next[8];
  long found[8];
  int n = 0;
  for (int dr = -1; dr <= 1; dr++) {
    for (int dc = -1; dc <= 1; dc++) {
      int row = way->row + dr, column = way->column + dc;
      if ((dr || dc) && may_step(field, way, row, column, *rest)) {
        next[n] = (struct way){row, column, way};
        found[n] = cilk_spawn read_on(field, &next[n], rest + 1);
        n++;
      }
    }
  }
  cilk_sync;
  long sum = 0;
  while (n > 0)
    sum += found[--n];
  return sum;
}

static long search_row(const struct field *field, int row, const char *word) {
  long sum = 0;
  for (int column = 0; column < field->columns; column++) {
    struct way start = {row, column, NULL};
    if (may_step(field, NULL, row, column, word[0]))
      sum += read_on(field, &start, word + 1);
  }
  return sum;
}

static long search(const struct field *field, const char *word) {
  long *sums = calloc(field->rows, sizeof *sums);
  CHECK(sums);
  for (int row = 0; row < field->rows; row++)
    sums[row] = cilk_spawn search_row(field, row, word);
  cilk_sync;
  long total = 0;
  for (int row = 0; row < field->rows; row++)
    total += sums[row];
  free(sums);
  return total;
}

int main(int argc, char **argv) {
  int side = (int)first_argument(argc, argv, 900, 40);
  struct field *field = new_field(side, side, "ABCDR");
  CHECK(field);

  stopwatch watch = stopwatch_start();
  long count = search(field, "ABRACADABRA");
  stopwatch_stop(watch);

  printf("%ld times ABRACADABRA\n", count);
  delete_field(field);
  return 0;
}
