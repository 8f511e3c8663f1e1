//===- knapsack.c - Branch and bound ------------------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Take an item or leave it, best value by weight first. One search prunes by
// the best value that anyone has found so far: what it visits differs from run
// to run, its answer does not. The other prunes by what the greedy choice
// reaches and counts its nodes, always as many. Both must find what the table
// of dynamic programming says.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// BENCH-ARGS: 46
// VGIW-ARGS: 14

#include "../Support/check.h"
#include "../Support/stopwatch.h"
#include <cilk/cilk.h>
#include <stdatomic.h>

enum { MaxItems = 64 };

typedef struct {
  int value, weight;
} item;

typedef struct {
  item at[MaxItems];
  int count;
} items;

/* An optimistic value: the rest of the room filled with parts of items. */
static double bound(const items *all, int next, int value, int room) {
  double best = value;
  for (; next < all->count && all->at[next].weight <= room; ++next) {
    best += all->at[next].value;
    room -= all->at[next].weight;
  }
  if (next < all->count)
    best += (double)room * all->at[next].value / all->at[next].weight;
  return best;
}

static _Atomic int best_so_far;

static void raise_best(int value) {
  int seen = atomic_load_explicit(&best_so_far, memory_order_relaxed);
  while (seen < value &&
         !atomic_compare_exchange_weak(&best_so_far, &seen, value))
    ;
}

static int search(const items *all, int next, int value, int room) {
  if (room < 0)
    return 0;
  raise_best(value);
  if (next == all->count)
    return value;
  if (bound(all, next, value, room) <
      atomic_load_explicit(&best_so_far, memory_order_relaxed))
    return value;
  item this = all->at[next];
  int with =
      cilk_spawn search(all, next + 1, value + this.value, room - this.weight);
  int without = search(all, next + 1, value, room);
  cilk_sync;
  return with > without ? with : without;
}

typedef struct {
  int best;
  unsigned nodes;
} found;

static found search_counting(const items *all, int next, int value, int room,
                             int known) {
  found result = {0, 1};
  if (room < 0)
    return result;
  result.best = value;
  if (next == all->count || bound(all, next, value, room) < known)
    return result;
  item this = all->at[next];
  found with = cilk_spawn search_counting(all, next + 1, value + this.value,
                                          room - this.weight, known);
  found without = cilk_spawn search_counting(all, next + 1, value, room, known);
  cilk_sync;
  result.best = with.best > without.best ? with.best : without.best;
  result.nodes += with.nodes + without.nodes;
  return result;
}

static int greedy(const items *all, int room) {
  int value = 0;
  for (int i = 0; i < all->count; ++i)
    if (all->at[i].weight <= room) {
      room -= all->at[i].weight;
      value += all->at[i].value;
    }
  return value;
}

static int by_table(const items *all, int room) {
  int *best = calloc(room + 1, sizeof *best);
  CHECK(best);
  for (int i = 0; i < all->count; ++i)
    for (int w = room; w >= all->at[i].weight; --w) {
      int taken = best[w - all->at[i].weight] + all->at[i].value;
      if (taken > best[w])
        best[w] = taken;
    }
  int result = best[room];
  free(best);
  return result;
}

static int better(const void *a, const void *b) {
  const item *x = a, *y = b;
  long left = (long)x->value * y->weight, right = (long)y->value * x->weight;
  if (left != right)
    return left > right ? -1 : 1;
  return x->weight - y->weight;
}

int main(int argc, char **argv) {
  items all = {.count = (int)argument(argc, argv, 1, 40)};
  CHECK(all.count >= 1 && all.count <= MaxItems);
  int total = 0;
  for (int i = 0; i < all.count; ++i) {
    int weight = 50 + (int)(scramble(i) % 100);
    /* Values close to weights make the search hard. */
    all.at[i] = (item){weight + (int)(scramble(~i) % 60), weight};
    total += weight;
  }
  qsort(all.at, all.count, sizeof(item), better);
  int room = total / 2;

  int expected = by_table(&all, room);
  stopwatch watch = stopwatch_start();
  found counted = search_counting(&all, 0, 0, room, greedy(&all, room));
  stopwatch_stop(watch);
  CHECK_EQUAL(counted.best, expected);
  CHECK_EQUAL(search(&all, 0, 0, room), expected);
  CHECK_EQUAL(atomic_load(&best_so_far), expected);
  printf("knapsack of %d: %d, in %u nodes\n", all.count, counted.best,
         counted.nodes);
  return 0;
}
