//===- document.h - What a scene's text says ----------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef RAYTRACER_DOCUMENT_H
#define RAYTRACER_DOCUMENT_H

#include "expression.h"

enum { MaxValues = 6 };

/// `name value, value...;` or `name word;`
typedef struct field {
  char *name;
  char *word; /* null if there are values */
  expression *values[MaxValues];
  int count;
  int line, column;
  struct field *next;
} field;

/// `kind name { fields }`; the name may be missing.
typedef struct object {
  char *kind, *name;
  field *fields;
  int line, column;
} object;

typedef struct {
  object *objects;
  int object_count;
  char **let_names;
  expression **lets;
  int let_count;
} document;

/// Null after a problem.
document *parse_document(const char *text, problem *p);
/// Makes its expressions simpler. Spawns; returns how many nodes have gone.
long simplify_document(document *d);
/// Spawns.
void destroy_document(document *d);

#endif
