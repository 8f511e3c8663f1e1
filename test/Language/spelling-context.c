//===- spelling-context.c - Words that are names elsewhere --------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `sync`, `spawn` and `cilk` as members, variables, functions, labels, types
// and macro parameters, beside libc's sync(), in one file with the statements.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// ELISION: no

#include "../Support/check.h"
#include <unistd.h>

struct device {
  int sync;
  int (*spawn)(int);
  struct {
    int cilk;
  } in;
};

static int twice(int n) { return 2 * n; }

#define SET(object, sync) ((object)->sync = 1)

static int members(struct device *d, struct device v) {
  d->sync = 3;
  v.sync = d->sync + 1;
  v.in.cilk = 5;
  int x = d->spawn(4);
  int y = spawn d->spawn(x);
  sync;
  SET(d, in.cilk);
  return d->sync + v.sync + v.in.cilk + y + d->in.cilk;
}

static int variables(int n) {
  int result = spawn twice(n);
  sync;
  {
    int spawn = 3, cilk = 4;
    result += spawn + cilk;
    spawn *= 2;
    result += spawn;
  }
  int after = spawn twice(result);
  sync;
  return after;
}

static int shadowed(int (*spawn)(int)) { return spawn(20) + (spawn)(1); }

static int labels(int n) {
  int x = spawn twice(n);
  if (n > 3)
    goto sync;
  x = 0;
sync:
  sync;
  return x;
}

int main(void) {
  struct device d = {.spawn = twice};
  struct device other = {.sync = 9};
  CHECK_EQUAL(members(&d, other), 3 + 4 + 5 + 16 + 1);
  CHECK_EQUAL(variables(5), 2 * (10 + 7 + 6));
  CHECK_EQUAL(shadowed(twice), 42);
  CHECK_EQUAL(labels(5), 10);
  if (d.sync < 0)
    sync();
  puts("names and words");
  return 0;
}
