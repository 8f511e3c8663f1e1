//===- text.h - From characters to tokens -------------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef RAYTRACER_TEXT_H
#define RAYTRACER_TEXT_H

#include <stdbool.h>

enum { MessageLength = 120 };

/// What is wrong with a scene, and where; no message means that nothing is.
typedef struct {
  int line, column;
  char message[MessageLength];
} problem;

typedef enum {
  TokenEnd,
  TokenName,
  TokenNumber,
  TokenMark, /* one character */
} token_kind;

typedef struct {
  token_kind kind;
  const char *start;
  int length;
  int line, column;
  double number;
} token;

typedef struct {
  const char *at;
  int line, column;
} lexer;

token next_token(lexer *from);
bool is_word(token t, const char *word);
bool is_mark(token t, char mark);

/// Keeps the first problem that is reported. Returns false.
bool report(problem *p, int line, int column, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
