//===- destination-kinds.c - Locals, elements, fields, calls ------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every kind of lvalue as a destination: local, parameter, static, global,
// array element, field, nested field, through pointers and what a call names.
// The address is evaluated once, in the parent, before the spawn.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// VGIW-SAMPLE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>

struct node {
  int value;
  struct {
    int x[2];
  } in;
  struct node *next;
};

int shared;
static int hidden[3];
extern int declared_later;

static int next_calls;
static int slots[8];

static int *next(void) { return &slots[next_calls++]; }
static struct node *same(struct node *n) {
  ++next_calls;
  return n;
}

static int grow(int n) {
  if (n == 0)
    return 0;
  int below = cilk_spawn grow(n - 1);
  cilk_sync;
  return below + n;
}

static int destinations(int parameter) {
  static int remembered;
  int local, matrix[2][3], index = 0;
  struct node here = {0}, *p = &here;
  here.next = &here;
  next_calls = 0;

  local = cilk_spawn grow(1);
  parameter = cilk_spawn grow(2);
  remembered = cilk_spawn grow(3);
  shared = cilk_spawn grow(4);
  declared_later = cilk_spawn grow(5);
  hidden[1] = cilk_spawn grow(6);
  matrix[1][index++] = cilk_spawn grow(7);
  matrix[1][index++] = cilk_spawn grow(8);
  matrix[1][index] = cilk_spawn grow(9);
  here.value = cilk_spawn grow(10);
  p->in.x[0] = cilk_spawn grow(11);
  p->next->next->in.x[1] = cilk_spawn grow(12);
  *next() = cilk_spawn grow(13);
  next()[4] = cilk_spawn grow(14);
  *next() = cilk_spawn grow(15);
  same(p)->next[0].value += cilk_spawn grow(1);
  cilk_sync;

  CHECK_EQUAL(local, 1);
  CHECK_EQUAL(parameter, 3);
  CHECK_EQUAL(remembered, 6);
  CHECK_EQUAL(shared, 10);
  CHECK_EQUAL(declared_later, 15);
  CHECK_EQUAL(hidden[1], 21);
  CHECK_EQUAL(matrix[1][0], 28);
  CHECK_EQUAL(matrix[1][1], 36);
  CHECK_EQUAL(matrix[1][2], 45);
  CHECK_EQUAL(here.value, 55 + 1);
  CHECK_EQUAL(here.in.x[0], 66);
  CHECK_EQUAL(here.in.x[1], 78);
  CHECK_EQUAL(next_calls, 4); /* three times next, once same */
  CHECK_EQUAL(slots[0], 91);
  CHECK_EQUAL(slots[5], 105);
  CHECK_EQUAL(slots[2], 120);
  return local + parameter + remembered + index;
}

int declared_later;

int main(void) {
  int sum = destinations(-1);
  CHECK_EQUAL(destinations(-2), sum);
  printf("%d\n", sum);
  return 0;
}
