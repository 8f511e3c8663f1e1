//===- knapsack.c - Knapsack with a fixed bound -------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Take an item or leave it, best value by weight first. What cannot reach a
// given value is cut off, whatever was found so far: the work is always the
// same.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// VGIW-ARGS: 10

#include "../../test/Support/check.h"
#include "../../test/Support/stopwatch.h"
#include <cilk/cilk.h>

enum { MaxItems = 64 };

typedef struct {
  int value, weight;
} item;

static int wanted;

static int fill(const item *next, int left, int room, int value) {
  if (room < 0)
    return 0;
  if (left == 0)
    return value;
  if (value + room * next->value / next->weight < wanted)
    return 0;
  int with = cilk_spawn fill(next + 1, left - 1, room - next->weight,
                             value + next->value);
  int without = fill(next + 1, left - 1, room, value);
  cilk_sync;
  return with > without ? with : without;
}

static int better(const void *a, const void *b) {
  const item *x = (const item *)a, *y = (const item *)b;
  return y->value * x->weight - x->value * y->weight;
}

/* Sets `wanted` to a value that is known to be reached; returns the room. */
static int make_items(item *items, int count) {
  int total = 0, left;
  for (int i = 0; i < count; ++i) {
    items[i].weight = 50 + (int)(scramble(i) % 100);
    items[i].value = items[i].weight + (int)(scramble(i + MaxItems) % 60);
    total += items[i].weight;
  }
  qsort(items, count, sizeof(item), better);
  left = total / 2;
  wanted = 0;
  for (int i = 0; i < count; ++i)
    if (items[i].weight <= left) {
      left -= items[i].weight;
      wanted += items[i].value;
    }
  wanted -= wanted / 50;
  return total / 2;
}

int main(int argc, char **argv) {
  int count = (int)argument(argc, argv, 1, 14);
  CHECK(count >= 1 && count <= MaxItems);
  item items[MaxItems];
  int room = make_items(items, count);
  stopwatch watch = stopwatch_start();
  int best = fill(items, count, room, 0);
  stopwatch_stop(watch);
  printf("knapsack of %d: %d\n", count, best);
  return 0;
}
