//===- wordsearch_helper.c - The field of wordsearch.c ------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes the field of letters and says where a way may go on.
//
//===----------------------------------------------------------------------===//

#include "../../test/Support/check.h"
#include "wordsearch.h"
#include <string.h>

struct field *new_field(int rows, int columns, const char *alphabet) {
  struct field *field = malloc(sizeof *field);
  if (!field)
    return NULL;
  field->rows = rows;
  field->columns = columns;
  field->letters = malloc((size_t)rows * columns);
  CHECK(field->letters);
  for (int i = 0; i < rows * columns; i++)
    field->letters[i] = alphabet[scramble(i) % strlen(alphabet)];
  return field;
}

void delete_field(struct field *field) {
  free(field->letters);
  free(field);
}

int may_step(const struct field *field, const struct way *way, int row,
             int column, char letter) {
  if (row < 0 || column < 0 || row >= field->rows || column >= field->columns)
    return 0;
  if (field->letters[row * field->columns + column] != letter)
    return 0;
  for (; way; way = way->before)
    if (way->row == row && way->column == column)
      return 0;
  return 1;
}
