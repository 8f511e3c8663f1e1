//===- objects-of-scopes.c - What children know of inner scopes ---*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An object of a loop's body, or of another inner scope, whose address a spawn
// has is kept until the sync: each execution of its declaration makes one.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// MAXRSS-MB: 300

#include "../Support/check.h"
#include <cilk/cilk.h>
#include <string.h>

struct board {
  int n;
  int q[12];
};
static long solve(const struct board *b, int n) {
  if (b->n == n)
    return 1;
  long c[12] = {0}, s = 0;
  for (int i = 0; i < n; i++) {
    int ok = 1;
    for (int k = 0; k < b->n; k++) {
      int d = b->q[k] - i;
      if (d == 0 || d == b->n - k || d == k - b->n)
        ok = 0;
    }
    if (ok) {
      struct board child = *b;
      child.q[child.n++] = i;
      c[i] = cilk_spawn solve(&child, n);
    }
  }
  cilk_sync;
  for (int i = 0; i < n; i++)
    s += c[i];
  return s;
}

enum { count = 40 };
static long out[count];

__attribute__((noinline)) static void put(int at, const long *value) {
  out[at] = *value;
}
__attribute__((noinline)) static void putAll(int at, const char *text) {
  out[at] = atol(text);
}
struct task {
  int at;
  const long *value;
};
__attribute__((noinline)) static void run(const struct task *task) {
  out[task->at] = *task->value;
}
__attribute__((noinline)) static void runCopy(struct task task) {
  out[task.at] = *task.value;
}
static void check(const char *what) {
  for (int i = 0; i < count; i++)
    if (out[i] != 3 * i) {
      fprintf(stderr, "%s: out[%d] is %ld\n", what, i, out[i]);
      exit(1);
    }
  memset(out, -1, sizeof out);
}

__attribute__((noinline)) static void scalars(void) {
  for (int i = 0; i < count; i++) {
    long value = 3 * i;
    cilk_spawn put(i, &value);
  }
  cilk_sync;
  check("scalars");
}
__attribute__((noinline)) static void arrays(void) {
  for (int i = 0; i < count; i++) {
    char text[20] = "+";
    _Alignas(64) long values[5] = {0, 0, 3 * i};
    if (i & 1) {
      sprintf(text + 1, "%d", 3 * i);
      cilk_spawn putAll(i, text);
    } else {
      CHECK_EQUAL((uintptr_t)values % 64, 0);
      cilk_spawn put(i, values + 2);
    }
  }
  cilk_sync;
  check("arrays");
}
__attribute__((noinline)) static void literals(void) {
  for (int i = 0; i < count; i++)
    if (i % 3 == 0)
      cilk_spawn put(i, &(long){3 * i});
    else if (i % 3 == 1)
      cilk_spawn put(i, (long[]){3 * i, 0});
    else
      cilk_spawn run(&(struct task){i, &(const long){3 * i}});
  cilk_sync;
  check("literals");
}
// By way of pointers and members.
__attribute__((noinline)) static void indirect(void) {
  const long *last = NULL;
  for (int i = 0; i < count; i++) {
    long value = 3 * i, other;
    const long *pointer = &value;
    struct task task = {i, pointer};
    switch (i % 4) {
    case 0:
      cilk_spawn put(i, pointer);
      break;
    case 1:
      cilk_spawn run(&task);
      break;
    case 2:
      cilk_spawn runCopy(task);
      break;
    default:
      other = value;
      last = &other;
      cilk_spawn put(i, last);
    }
  }
  cilk_sync;
  check("indirect");
}
// Blocks have arrays, structs, and what they change by reference.
__attribute__((noinline)) static void blocks(void) {
  for (int i = 0; i < count; i++) {
    long values[3] = {i, i, i}, sum = 0;
    struct task task = {i, values};
    cilk_spawn {
      for (int k = 0; k < 3; k++)
        sum += task.value[k];
      out[task.at] = sum;
    }
  }
  cilk_sync;
  check("blocks");
}
// Loops of other kinds, jumps, and syncs on some of the ways.
__attribute__((noinline)) static void ways(void) {
  int i = 0;
  while (i < 10) {
    long value = 3 * i;
    cilk_spawn put(i++, &value);
    if (i == 4)
      continue;
    if (i == 6)
      cilk_sync;
  }
  do {
    long value = 3 * i;
    cilk_spawn put(i++, &value);
    if (i == 25)
      break;
  } while (i < 30);
again: {
  long value = 3 * i;
  cilk_spawn put(i++, &value);
  if (i < 30)
    goto again;
}
  cilk_scope {
    for (; i < count; i++) {
      long value = 3 * i;
      cilk_spawn put(i, &value);
    }
  }
  check("ways");
}
// Control comes to the uses without passing the declaration.
__attribute__((noinline)) static void entered(void) {
  for (int i = 0; i < count; i++)
    switch (i & 1) {
      long value;
    case 0:
      value = 3 * i;
      cilk_spawn put(i, &value);
      cilk_sync;
      break;
    default:
      value = 3 * i;
      cilk_spawn put(i, &value);
      cilk_sync;
    }
  check("entered");
}
// Iterations of parallel loops have their own until they end.
__attribute__((noinline)) static void loops(void) {
  cilk_for (int i = 0; i < count / 4; i++) {
    for (int k = 0; k < 4; k++) {
      long value = 3 * (4 * i + k);
      cilk_spawn put(4 * i + k, &value);
    }
  }
  check("loops");
}
// A sync frees what was kept: a gigabyte in all.
static long touched;
static void touch(const char *bytes, int k) {
  __atomic_fetch_add(&touched, bytes[k] == k, __ATOMIC_RELAXED);
}
__attribute__((noinline)) static void freed(void) {
  for (int round = 0; round < 4000; round++) {
    for (int k = 0; k < 4; k++) {
      char bytes[65536];
      bytes[k] = (char)k;
      bytes[k + 40000] = 0;
      cilk_spawn touch(bytes, k);
      if (k & 1)
        cilk_sync;
    }
    cilk_sync;
  }
}

int main(void) {
  struct board empty = {0};
  CHECK_EQUAL(solve(&empty, 9), 352);
  memset(out, -1, sizeof out);
  scalars();
  arrays();
  literals();
  indirect();
  blocks();
  ways();
  entered();
  loops();
  freed();
  CHECK_EQUAL(touched, 16000);
  return 0;
}
