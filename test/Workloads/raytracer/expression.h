//===- expression.h - Arithmetic in scenes ------------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef RAYTRACER_EXPRESSION_H
#define RAYTRACER_EXPRESSION_H

#include "text.h"

typedef struct expression expression;

/// What expressions depend on: the values of `time` and of the scene's `let`s.
typedef struct {
  double time;
  const double *values;
} environment;

expression *make_number(double value);
expression *make_time(void);
/// The value of the `let` with that index.
expression *make_variable(int index);
/// `sign` is one of + - * / ^.
expression *make_binary(char sign, expression *left, expression *right);

/// The index of a function and the number of its arguments; -1 if there is
/// none.
int find_function(token name, int *arity);
/// Takes the arguments over.
expression *make_call(int function, expression **arguments);

/// Its tree is walked by spawns.
double evaluate(const expression *e, environment where);
/// Replaces what depends on nothing by its value; takes the expression over.
/// Spawns.
expression *folded(expression *e);
long count_nodes(const expression *e);
/// Spawns.
void destroy_expression(expression *e);

#endif
