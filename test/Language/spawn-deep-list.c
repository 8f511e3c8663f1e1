//===- spawn-deep-list.c - Recursion along a list, a million deep -*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each task spawns one child for the rest of the list; a million levels fit
// into half a gigabyte.
//
//===----------------------------------------------------------------------===//
// ARGS: 1000000
// MAXRSS-MB: 512
// TIMEOUT: 120
// VGIW-ARGS: 2000

#include "../Support/check.h"
#include <cilk/cilk.h>

struct item {
  struct item *next;
  int value;
};

static long sum(const struct item *list) {
  if (!list)
    return 0;
  long rest = cilk_spawn sum(list->next);
  cilk_sync;
  return rest + list->value;
}

static long both_ways(struct item *list, long above) {
  long below = 0;
  if (list->next)
    below = cilk_spawn both_ways(list->next, above + list->value);
  cilk_sync;
  CHECK(above + list->value + below > 0);
  return below + list->value;
}

int main(int argc, char **argv) {
  long count = argument(argc, argv, 1, 10000);
  struct item *items = malloc(count * sizeof *items);
  for (long i = 0; i < count; ++i)
    items[i] = (struct item){i + 1 < count ? &items[i + 1] : NULL,
                             (int)(i % 1000 + 1)};
  long expected = 0;
  for (long i = 0; i < count; ++i)
    expected += items[i].value;
  long found = sum(items);
  CHECK_EQUAL(found, expected);
  CHECK_EQUAL(both_ways(items, 0), expected);
  printf("%ld items, sum %ld\n", count, found);
  free(items);
  return 0;
}
