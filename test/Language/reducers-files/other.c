//===- other.c - Declares the reducer of main.c -------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "text.h"

extern text cilk_reducer(text_blank, text_join) output;

void put_mark(char c) { text_put(&output, c); }

void other_tree(int n) {
  text_put(&output, '[');
  if (n > 0) {
    cilk_spawn middle(n - 1, other_tree);
    put_mark(';');
    tree(n - 1);
  }
  cilk_sync;
  leaf(n);
  text_put(&output, ']');
}
