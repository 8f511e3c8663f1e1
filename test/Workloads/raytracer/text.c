//===- text.c - From characters to tokens -------------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "text.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void advance(lexer *l) {
  if (*l->at++ == '\n') {
    ++l->line;
    l->column = 1;
  } else {
    ++l->column;
  }
}

static void skip_blanks(lexer *l) {
  for (;;) {
    if (*l->at == '#')
      while (*l->at && *l->at != '\n')
        advance(l);
    else if (isspace((unsigned char)*l->at))
      advance(l);
    else
      return;
  }
}

static bool in_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

token next_token(lexer *l) {
  skip_blanks(l);
  token t = {TokenEnd, l->at, 0, l->line, l->column, 0};
  if (!*l->at)
    return t;
  const char *end = l->at + 1;
  if (isalpha((unsigned char)*l->at)) {
    t.kind = TokenName;
    while (in_name(*end))
      ++end;
  } else if (isdigit((unsigned char)*l->at)) {
    char *after;
    t.kind = TokenNumber;
    t.number = strtod(l->at, &after);
    end = after;
  } else {
    t.kind = TokenMark;
  }
  t.length = (int)(end - l->at);
  while (l->at < end)
    advance(l);
  return t;
}

bool is_word(token t, const char *word) {
  return t.kind == TokenName && strlen(word) == (size_t)t.length &&
         strncmp(t.start, word, t.length) == 0;
}

bool is_mark(token t, char mark) {
  return t.kind == TokenMark && *t.start == mark;
}

bool report(problem *p, int line, int column, const char *format, ...) {
  if (p->message[0])
    return false;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(p->message, sizeof p->message, format, arguments);
  va_end(arguments);
  p->line = line;
  p->column = column;
  return false;
}
