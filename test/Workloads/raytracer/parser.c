//===- parser.c - From text to a document -------------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "document.h"

#include "memory.h"
#include <cilk/cilk.h>
#include <string.h>

typedef struct {
  lexer lexer;
  token now;
  document *document;
  problem *problem;
  int nesting;
} parser;

enum { MaxNesting = 100 };

static void step(parser *p) { p->now = next_token(&p->lexer); }

static bool complain(parser *p, const char *what) {
  if (p->now.kind == TokenEnd)
    return report(p->problem, p->now.line, p->now.column,
                  "%s expected, but the text ends", what);
  return report(p->problem, p->now.line, p->now.column,
                "%s expected, not '%.*s'", what, p->now.length, p->now.start);
}

static bool take(parser *p, char mark) {
  char what[] = "'?'";
  what[1] = mark;
  if (!is_mark(p->now, mark))
    return complain(p, what);
  step(p);
  return true;
}

static expression *parse_sum(parser *p);

static expression *parse_call(parser *p, token name) {
  expression *arguments[3] = {0};
  int arity, function = find_function(name, &arity), count = 0;
  if (function < 0) {
    report(p->problem, name.line, name.column, "no function '%.*s'",
           name.length, name.start);
    return NULL;
  }
  step(p);
  do {
    if (count == arity)
      break;
    arguments[count] = parse_sum(p);
    if (!arguments[count])
      goto failed;
    ++count;
  } while (is_mark(p->now, ',') && (step(p), true));
  if (count != arity || !is_mark(p->now, ')')) {
    report(p->problem, name.line, name.column, "'%.*s' takes %d argument%s",
           name.length, name.start, arity, arity == 1 ? "" : "s");
    goto failed;
  }
  step(p);
  return make_call(function, arguments);
failed:
  for (int i = 0; i < count; ++i)
    destroy_expression(arguments[i]);
  return NULL;
}

static expression *parse_name(parser *p) {
  token name = p->now;
  step(p);
  if (is_mark(p->now, '('))
    return parse_call(p, name);
  if (is_word(name, "time"))
    return make_time();
  if (is_word(name, "pi"))
    return make_number(3.14159265358979323846);
  for (int i = p->document->let_count; i-- > 0;)
    if (is_word(name, p->document->let_names[i]))
      return make_variable(i);
  report(p->problem, name.line, name.column, "'%.*s' is not defined",
         name.length, name.start);
  return NULL;
}

static expression *parse_primary(parser *p) {
  if (++p->nesting > MaxNesting) {
    report(p->problem, p->now.line, p->now.column, "nested too deeply");
    return NULL;
  }
  expression *e = NULL;
  if (p->now.kind == TokenNumber) {
    e = make_number(p->now.number);
    step(p);
  } else if (p->now.kind == TokenName) {
    e = parse_name(p);
  } else if (is_mark(p->now, '-')) {
    step(p);
    expression *operand = parse_primary(p);
    e = operand ? make_binary('-', make_number(0), operand) : NULL;
  } else if (is_mark(p->now, '(')) {
    step(p);
    e = parse_sum(p);
    if (e && !take(p, ')')) {
      destroy_expression(e);
      e = NULL;
    }
  } else {
    complain(p, "a value");
  }
  --p->nesting;
  return e;
}

/* Operators of one rank, grouped to the left; ^ to the right. */
static expression *parse_rank(parser *p, int rank) {
  static const char *const operators[] = {"+-", "*/", "^"};
  if (rank == 3)
    return parse_primary(p);
  expression *left = parse_rank(p, rank + 1);
  while (left && p->now.kind == TokenMark &&
         strchr(operators[rank], *p->now.start)) {
    char sign = *p->now.start;
    step(p);
    expression *right = parse_rank(p, sign == '^' ? rank : rank + 1);
    if (!right) {
      destroy_expression(left);
      return NULL;
    }
    left = make_binary(sign, left, right);
  }
  return left;
}

static expression *parse_sum(parser *p) { return parse_rank(p, 0); }

/* A single undefined name is a word, such as a material's name. */
static bool is_lone_word(parser *p) {
  lexer ahead = p->lexer;
  return p->now.kind == TokenName && is_mark(next_token(&ahead), ';') &&
         !is_word(p->now, "time") && !is_word(p->now, "pi");
}

static bool parse_field(parser *p, field **list) {
  if (p->now.kind != TokenName)
    return complain(p, "a field");
  field *made = allocate(1, sizeof *made);
  made->name = copy_text(p->now.start, p->now.length);
  made->line = p->now.line;
  made->column = p->now.column;
  made->next = *list;
  *list = made;
  step(p);
  if (is_lone_word(p)) {
    bool defined = false;
    for (int i = 0; i < p->document->let_count; ++i)
      defined = defined || is_word(p->now, p->document->let_names[i]);
    if (!defined) {
      made->word = copy_text(p->now.start, p->now.length);
      step(p);
      return take(p, ';');
    }
  }
  do {
    if (made->count == MaxValues)
      return complain(p, "';'");
    expression *value = parse_sum(p);
    if (!value)
      return false;
    made->values[made->count++] = value;
  } while (is_mark(p->now, ',') && (step(p), true));
  return take(p, ';');
}

static bool parse_let(parser *p) {
  document *d = p->document;
  step(p);
  if (p->now.kind != TokenName)
    return complain(p, "a name");
  token name = p->now;
  step(p);
  if (!take(p, '='))
    return false;
  expression *value = parse_sum(p);
  if (!value)
    return false;
  int n = d->let_count;
  d->let_names = grow(d->let_names, n, n + 1, sizeof *d->let_names);
  d->lets = grow(d->lets, n, n + 1, sizeof *d->lets);
  d->let_names[n] = copy_text(name.start, name.length);
  d->lets[n] = value;
  d->let_count = n + 1;
  return take(p, ';');
}

static bool parse_object(parser *p) {
  document *d = p->document;
  if (p->now.kind != TokenName)
    return complain(p, "an object");
  int n = d->object_count;
  d->objects = grow(d->objects, n, n + 1, sizeof *d->objects);
  d->object_count = n + 1;
  object *made = &d->objects[n];
  made->kind = copy_text(p->now.start, p->now.length);
  made->line = p->now.line;
  made->column = p->now.column;
  step(p);
  if (p->now.kind == TokenName) {
    made->name = copy_text(p->now.start, p->now.length);
    step(p);
  }
  if (!take(p, '{'))
    return false;
  while (!is_mark(p->now, '}'))
    if (!parse_field(p, &made->fields))
      return false;
  step(p);
  return true;
}

document *parse_document(const char *text, problem *problem) {
  parser p = {{text, 1, 1}, {0}, allocate(1, sizeof(document)), problem, 0};
  memset(problem, 0, sizeof *problem);
  step(&p);
  while (p.now.kind != TokenEnd)
    if (!(is_word(p.now, "let") ? parse_let(&p) : parse_object(&p))) {
      destroy_document(p.document);
      return NULL;
    }
  return p.document;
}

static void simplify_fields(field *first, long *gone) {
  long before = 0, after = 0;
  for (field *f = first; f; f = f->next)
    for (int i = 0; i < f->count; ++i) {
      before += count_nodes(f->values[i]);
      f->values[i] = cilk_spawn folded(f->values[i]);
    }
  cilk_sync;
  for (field *f = first; f; f = f->next)
    for (int i = 0; i < f->count; ++i)
      after += count_nodes(f->values[i]);
  *gone = before - after;
}

long simplify_document(document *d) {
  long sum = 0, gone[d->object_count + 1];
  for (int i = 0; i < d->object_count; ++i)
    cilk_spawn simplify_fields(d->objects[i].fields, &gone[i]);
  for (int i = 0; i < d->let_count; ++i)
    d->lets[i] = cilk_spawn folded(d->lets[i]);
  cilk_sync;
  for (int i = 0; i < d->object_count; ++i)
    sum += gone[i];
  return sum;
}

static void destroy_fields(field *f) {
  while (f) {
    field *next = f->next;
    for (int i = 0; i < f->count; ++i)
      cilk_spawn destroy_expression(f->values[i]);
    cilk_sync;
    release(f->name);
    release(f->word);
    release(f);
    f = next;
  }
}

void destroy_document(document *d) {
  for (int i = 0; i < d->object_count; ++i)
    cilk_spawn destroy_fields(d->objects[i].fields);
  for (int i = 0; i < d->let_count; ++i)
    cilk_spawn destroy_expression(d->lets[i]);
  cilk_sync;
  for (int i = 0; i < d->object_count; ++i) {
    release(d->objects[i].kind);
    release(d->objects[i].name);
  }
  for (int i = 0; i < d->let_count; ++i)
    release(d->let_names[i]);
  release(d->objects);
  release(d->let_names);
  release(d->lets);
  release(d);
}
