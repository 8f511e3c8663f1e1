//===- reducers-order.c - Views in the order of the elision -------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lists and strings, whose operations do not commute: appended to before, between
// and behind spawns, in plain calls of spawning functions, through pointers to
// functions, in functions that do not spawn, in parallel loops, nested ones, and
// in spawned blocks.  Global, static and local reducers, members and elements.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// VGIW: no

#include "../Support/check.h"
#include <cilk/cilk.h>
#include <string.h>

typedef struct node {
  long value;
  struct node *next;
} node;
typedef struct {
  node *head, **end;
  long length;
} list;

static void empty(void *view) { *(list *)view = (list){0}; }
static void append(void *left, void *right) {
  list *all = left, *more = right;
  if (!more->length)
    return;
  *(all->length ? all->end : &all->head) = more->head;
  all->end = more->end;
  all->length += more->length;
}
static void put(list *to, long value) {
  node *added = malloc(sizeof *added);
  *added = (node){value, NULL};
  *(to->length ? to->end : &to->head) = added;
  to->end = &added->next;
  ++to->length;
}

list cilk_reducer(empty, append) everything;
static list cilk_reducer(empty, append) several[3];
struct tagged {
  int tag;
  list _Hyperobject(empty, append) inner;
};

static void leaf(long value) { put(&everything, value); }

static int pass(int n) {
  put(&several[n % 3], n);
  return n;
}

void tree(int depth, long base, struct tagged *record) {
  put(&everything, base);
  if (depth == 0) {
    leaf(-base);
    put(&record->inner, base);
    return;
  }
  long half = 1l << (depth - 1);
  cilk_spawn tree(depth - 1, base, record);
  put(&everything, 1000 + depth);
  if (depth % 3 == 0)
    tree(depth - 1, base + half, record);
  else
    cilk_spawn tree(depth - 1, base + half, record);
  put(&record->inner, depth);
  void (*indirect)(long) = leaf;
  cilk_spawn indirect(2000 + depth);
  if (depth % 2)
    cilk_sync;
  put(&everything, 3000 + depth);
  int x = cilk_spawn pass(depth);
  cilk_sync;
  put(&everything, x);
}

static void loops(int n, int m) {
  cilk_for (int i = 0; i < n; ++i) {
    put(&everything, i);
    cilk_for (int k = 0; k < m; ++k)
      put(&everything, i * m + k);
    cilk_spawn leaf(-i);
    put(&several[i % 3], i);
  }
}

static uint64_t digest(const list *all) {
  uint64_t sum = all->length;
  long count = 0;
  for (const node *at = all->head; at; at = at->next, ++count)
    sum = scramble(sum + at->value);
  CHECK_EQUAL(count, all->length);
  return sum;
}
static void release(list *all) {
  for (node *at = all->head, *next; at; at = next) {
    next = at->next;
    free(at);
  }
  empty(all);
}

static void blocks(int n) {
  list cilk_reducer(empty, append) mine = {0};
  for (int i = 0; i < n; ++i) {
    cilk_spawn { put(&mine, i); }
    put(&mine, -i);
  }
  cilk_sync;
  long sign = 1, expected = 0;
  for (node *at = mine.head; at; at = at->next, sign = -sign) {
    CHECK_EQUAL(at->value, sign * expected);
    expected += sign < 0;
  }
  CHECK_EQUAL(mine.length, 2 * n);
  release(&mine);
}

// A scope that declares a reducer ends with a sync.
static long scopes(int n) {
  long total = 0;
  for (int i = 0; i < n; ++i) {
    list cilk_reducer(empty, append) mine = {0};
    struct tagged record = {i};
    cilk_spawn tree(2, i, &record);
    put(&mine, 7);
    cilk_for (int k = 0; k < i; ++k)
      put(&mine, k);
    cilk_sync;
    total += mine.length + record.inner.length;
    release(&mine);
    release(&record.inner);
    if (i % 5 == 4)
      continue;
  }
  return total;
}

int main(int argc, char **argv) {
  int depth = argument(argc, argv, 1, 9);
  struct tagged record = {1};
  tree(depth, 0, &record);
  loops(50, 20);
  blocks(200);
  printf("%ld\n", scopes(20));
  printf("%llu %llu\n", (unsigned long long)digest(&everything),
         (unsigned long long)digest(&record.inner));
  for (int i = 0; i < 3; ++i) {
    printf("%llu\n", (unsigned long long)digest(&several[i]));
    release(&several[i]);
  }
  release(&everything);
  release(&record.inner);
  return 0;
}
