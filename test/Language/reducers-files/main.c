//===- main.c - Reducers of several files -------------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A string that functions of three files append to. One of the files has no
// reducer, and spawns functions of the others.
//
//===----------------------------------------------------------------------===//
// CFLAGS: -fcilk-reducers
// ELISION: no
// VGIW: no

#include "text.h"

text cilk_reducer(text_blank, text_join) output;

void text_blank(void *view) { *(text *)view = (text){0}; }
void text_join(void *left, void *right) {
  text *all = left, *more = right;
  for (long i = 0; i < more->length; ++i)
    text_put(all, more->bytes[i]);
  free(more->bytes);
}
void text_put(text *to, char c) {
  if (to->length == to->room) {
    to->room = 2 * to->room + 16;
    to->bytes = realloc(to->bytes, to->room);
  }
  to->bytes[to->length++] = c;
}

void leaf(int n) { text_put(&output, 'a' + n % 26); }

void tree(int n) {
  text_put(&output, '(');
  if (n > 0) {
    cilk_spawn middle(n - 1, tree);
    text_put(&output, ',');
    cilk_spawn other_tree(n - 1);
  }
  cilk_sync;
  leaf(n);
  text_put(&output, ')');
}

static uint64_t digest(const text *all) {
  uint64_t sum = 0;
  for (long i = 0; i < all->length; ++i)
    sum = scramble(sum + all->bytes[i]);
  return sum;
}

static void elision(text *to, int n, int kind) {
  text_put(to, kind ? '[' : '(');
  if (n > 0) {
    text_put(to, '<');
    elision(to, n - 1, kind);
    text_put(to, '>');
    text_put(to, kind ? ';' : ',');
    elision(to, n - 1, !kind);
  }
  text_put(to, 'a' + n % 26);
  text_put(to, kind ? ']' : ')');
}

int main(int argc, char **argv) {
  int n = argument(argc, argv, 1, 8);
  text expected = {0};
  for (int round = 0; round < 3; ++round) {
    tree(n);
    elision(&expected, n, 0);
    CHECK_EQUAL(output.length, expected.length);
    CHECK(digest(&output) == digest(&expected));
  }
  printf("%ld\n", output.length);
  free(output.bytes);
  free(expected.bytes);
  return 0;
}
