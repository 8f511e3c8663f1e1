// empty-objects.c - Objects without a size (GNU C)
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: for level in 0 1 2 3; do for flags in '' -fno-chan-serial-clones '-fno-chan-batch -g' --target=vgiw; do cilk2chan -w -O$level $flags %s -o %t && CHAN_WORKERS=2 %t || exit 1; done; done

// Empty results have no field, and empty locals have a place in the frame.
// RUN: cilk2chan -w -O2 --emit=mlir %s | FileCheck %s
// CHECK-DAG: chan.kernel @f.0 consumes @f.entry
// CHECK-DAG: chan.stack entry @f.entry(a0: i32) function @f
// CHECK-DAG: chan.kernel @address.1 consumes @address.after1 frame
// CHECK-DAG: chan.kernel @lengths.1 consumes @lengths.after1 frame

#include <stdio.h>
#include <stdlib.h>

struct empty {};
union none {
  struct empty a;
  int b[0];
};
struct aligned {
} __attribute__((aligned(32)));
struct flexible {
  int n;
  char data[];
};
struct pair {
  struct empty first;
  int second;
  union none third;
};

static long calls;

static struct empty f(int n, struct empty e) {
  __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
  if (n < 2)
    return e;
  struct empty a, b;
  a = cilk_spawn f(n - 1, e);
  b = cilk_spawn f(n - 2, b);
  cilk_sync;
  return a;
}

/* The address of one is known elsewhere, across a sync. */
static int address(int n, struct empty *given, int *no) {
  if (n < 2)
    return given != NULL && no != NULL;
  struct empty one, many[10];
  int none[0];
  union none u;
  struct aligned far;
  int x = cilk_spawn address(n - 1, &one, none);
  int y = cilk_spawn address(n - 2, &many[3], u.b);
  cilk_sync;
  return x + y + ((unsigned long)&far % 32 != 0);
}

static struct pair pairs(int n, struct pair p, struct aligned al, union none u) {
  if (n < 2)
    return (struct pair){.second = n + p.second};
  struct pair x = cilk_spawn pairs(n - 1, p, al, u);
  struct pair y = cilk_spawn pairs(n - 2, p, (struct aligned){}, u);
  cilk_sync;
  return (struct pair){.second = x.second + y.second};
}

static int lengths(int n, struct flexible *all) {
  if (n < 2)
    return all->data[n];
  int none[n - n], x, y;
  x = cilk_spawn lengths(n - 1, all);
  y = cilk_spawn lengths(n - 2, all);
  cilk_sync;
  return x + y + (int)sizeof none;
}

static void discard(int n, struct empty e, struct empty *result) {
  if (n > 0) {
    cilk_spawn f(n, e);
    *result = cilk_spawn f(n - 1, e);
    cilk_spawn { struct empty inner = e; discard(n - 1, inner, &e); }
    cilk_sync;
  }
  cilk_for (int i = 0; i < n; i++) {
    struct empty own[2];
    own[i % 2] = f(2, e);
  }
}

int main(void) {
  struct empty e;
  f(9, e);
  if (calls != 109)
    return 1;
  if (address(10, &e, (int *)&e) != 89)
    return 2;
  if (pairs(10, (struct pair){.second = 0}, (struct aligned){}, (union none){}).second != 55)
    return 3;
  struct flexible *all = malloc(sizeof *all + 2);
  all->data[0] = 1, all->data[1] = 2;
  if (lengths(10, all) != 144)
    return 4;
  discard(4, e, &e);
  free(all);
  puts("done");
}
