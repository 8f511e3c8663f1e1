//===- countdown_helper.c - The rules of countdown.c --------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What may be done with two numbers, and which numbers and target a game has.
//
//===----------------------------------------------------------------------===//

#include "../../test/Support/check.h"

int apply(int operator_, int a, int b, int *result);
void deal(int game, int numbers[], int count, int *target);

// Whether that makes a new number, which is positive.
int apply(int operator_, int a, int b, int *result) {
  if (a < b) {
    int other = a;
    a = b;
    b = other;
  }
  switch (operator_) {
  case 0:
    *result = a + b;
    return 1;
  case 1:
    *result = a - b;
    return a != b;
  case 2:
    if (b == 1)
      return 0;
    *result = a * b;
    return *result < 100000;
  default:
    if (b == 1 || a % b != 0)
      return 0;
    *result = a / b;
    return 1;
  }
}

void deal(int game, int numbers[], int count, int *target) {
  for (int i = 0; i < count; i++) {
    int r = (int)(scramble(100 * game + i) % 1000);
    numbers[i] = i < 2 ? 25 * (1 + r % 4) : 1 + r % 10;
  }
  *target = 2003 + 1000 * game;
}
