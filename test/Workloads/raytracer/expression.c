//===- expression.c - Arithmetic in scenes ------------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "expression.h"

#include "memory.h"
#include <cilk/cilk.h>
#include <math.h>

enum { MaxArity = 3 };

typedef double evaluator(const expression *e, environment where);

struct expression {
  evaluator *value; /* the kind of the expression */
  double number;
  int index; /* of a variable or function */
  int count;
  expression *operand[MaxArity];
};

static expression *fresh(evaluator *value, int count) {
  expression *e = allocate(1, sizeof *e);
  e->value = value;
  e->count = count;
  return e;
}

double evaluate(const expression *e, environment where) {
  return e->value(e, where);
}

/* The kinds. */

static double value_of_number(const expression *e, environment where) {
  (void)where;
  return e->number;
}

static double value_of_time(const expression *e, environment where) {
  (void)e;
  return where.time;
}

static double value_of_variable(const expression *e, environment where) {
  return where.values[e->index];
}

#define BINARY(NAME, RESULT)                                                   \
  static double NAME(const expression *e, environment where) {                 \
    const expression *left = e->operand[0], *right = e->operand[1];            \
    double a = cilk_spawn left->value(left, where);                            \
    double b = cilk_spawn right->value(right, where);                          \
    cilk_sync;                                                                 \
    return RESULT;                                                             \
  }
BINARY(sum, a + b)
BINARY(difference, a - b)
BINARY(product, a *b)
BINARY(quotient, b == 0 ? 0 : a / b)
BINARY(power, pow(a, b))
#undef BINARY

/* Functions by name; `call` has as many arguments as `arity` says. */

typedef union {
  double (*of1)(double);
  double (*of2)(double, double);
  double (*of3)(double, double, double);
} callable;

static double clamp(double x, double low, double high) {
  return x < low ? low : x > high ? high : x;
}
static double pulse(double x) { return x - floor(x) < 0.5 ? 1 : 0; }

static const struct {
  const char *name;
  int arity;
  callable call;
} functions[] = {
    {"sin", 1, {.of1 = sin}},     {"cos", 1, {.of1 = cos}},
    {"sqrt", 1, {.of1 = sqrt}},   {"abs", 1, {.of1 = fabs}},
    {"floor", 1, {.of1 = floor}}, {"pulse", 1, {.of1 = pulse}},
    {"min", 2, {.of2 = fmin}},    {"max", 2, {.of2 = fmax}},
    {"atan", 2, {.of2 = atan2}},  {"clamp", 3, {.of3 = clamp}},
};
enum { FunctionCount = sizeof functions / sizeof *functions };

int find_function(token name, int *arity) {
  for (int i = 0; i < FunctionCount; ++i)
    if (is_word(name, functions[i].name)) {
      *arity = functions[i].arity;
      return i;
    }
  return -1;
}

static double value_of_call(const expression *e, environment where) {
  double a[MaxArity];
  for (int i = 0; i < e->count; ++i)
    a[i] = cilk_spawn evaluate(e->operand[i], where);
  cilk_sync;
  callable f = functions[e->index].call;
  switch (e->count) {
  case 1:
    return f.of1(a[0]);
  case 2:
    return f.of2(a[0], a[1]);
  default:
    return f.of3(a[0], a[1], a[2]);
  }
}

/* Construction. */

expression *make_number(double value) {
  expression *e = fresh(value_of_number, 0);
  e->number = value;
  return e;
}

expression *make_time(void) { return fresh(value_of_time, 0); }

expression *make_variable(int index) {
  expression *e = fresh(value_of_variable, 0);
  e->index = index;
  return e;
}

expression *make_binary(char sign, expression *left, expression *right) {
  static const struct {
    char sign;
    evaluator *value;
  } operators[] = {{'+', sum},
                   {'-', difference},
                   {'*', product},
                   {'/', quotient},
                   {'^', power}};
  int i = 0;
  while (operators[i].sign != sign)
    ++i;
  expression *e = fresh(operators[i].value, 2);
  e->operand[0] = left;
  e->operand[1] = right;
  return e;
}

expression *make_call(int function, expression **arguments) {
  expression *e = fresh(value_of_call, functions[function].arity);
  e->index = function;
  for (int i = 0; i < e->count; ++i)
    e->operand[i] = arguments[i];
  return e;
}

expression *folded(expression *e) {
  bool constant = e->count > 0;
  for (int i = 0; i < e->count; ++i)
    e->operand[i] = cilk_spawn folded(e->operand[i]);
  cilk_sync;
  for (int i = 0; i < e->count; ++i)
    constant = constant && e->operand[i]->value == value_of_number;
  if (!constant)
    return e;
  environment none = {0, 0};
  expression *number = make_number(evaluate(e, none));
  destroy_expression(e);
  return number;
}

long count_nodes(const expression *e) {
  long count = 1;
  for (int i = 0; i < e->count; ++i)
    count += cilk_spawn count_nodes(e->operand[i]);
  cilk_sync;
  return count;
}

void destroy_expression(expression *e) {
  if (!e)
    return;
  for (int i = 0; i < e->count; ++i)
    cilk_spawn destroy_expression(e->operand[i]);
  cilk_sync;
  release(e);
}
