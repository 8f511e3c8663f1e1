//===- wordsearch.h - What the files of wordsearch share ----------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A field of letters, and a way through it.
//
//===----------------------------------------------------------------------===//

#ifndef WORDSEARCH_H
#define WORDSEARCH_H

struct field {
  int rows, columns;
  char *letters;
};

/// The squares of a way, from the last one back to the first.
struct way {
  int row, column;
  const struct way *before;
};

struct field *new_field(int rows, int columns, const char *alphabet);
void delete_field(struct field *field);

/// Whether a way may go on to that square, which has to have that letter.
int may_step(const struct field *field, const struct way *way, int row,
             int column, char letter);

#endif
