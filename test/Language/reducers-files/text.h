//===- text.h - What the files share ------------------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../Support/check.h"
#include <cilk/cilk.h>

typedef struct {
  char *bytes;
  long length, room;
} text;
void text_blank(void *view);
void text_join(void *left, void *right);
void text_put(text *to, char c);
void leaf(int n);
void put_mark(char c);
void tree(int n);
void other_tree(int n);
void middle(int n, void (*next)(int));
