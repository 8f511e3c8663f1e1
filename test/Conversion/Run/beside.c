/*===- beside.c - Children run while their parent goes on -----------------===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
// RUN: cilk2chan -O2 %s -o %t && CHAN_WORKERS=2 %t | FileCheck %s
// RUN: cilk2chan -O0 %s -o %t.0 && CHAN_WORKERS=2 %t.0 | FileCheck %s

// A parent that waits for its child outside sync asks for more than the
// language promises; here it tells whether another worker could begin with the
// child.

#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

static atomic_int begun;

static int child(int n) {
  atomic_fetch_add(&begun, 1);
  return n;
}

/* Waits for `children`, half a minute at most. */
static int sawBegun(int children) {
  time_t limit = time(NULL) + 30;
  while (begun < children && time(NULL) < limit)
    ;
  return begun >= children;
}

static int inCall(void) {
  begun = 0;
  int a = cilk_spawn child(1);
  int seen = sawBegun(1);
  cilk_sync;
  return seen && a == 1;
}

static int inLoop(void) {
  begun = 0;
  int a = cilk_spawn child(1), b = cilk_spawn child(2);
  for (long i = 0; begun < 2 && i < 20000000000; ++i)
    ;
  int seen = begun == 2;
  cilk_sync;
  return seen && a + b == 3;
}

/* The C symbol of a spawning function. */
static int inNestedTree(int (*function)(void)) {
  int before = cilk_spawn child(1);
  int seen = function();
  cilk_sync;
  return seen && before == 1;
}

int main(void) {
  // CHECK: call: 1
  printf("call: %d\n", inCall());
  // CHECK: loop: 1
  printf("loop: %d\n", inLoop());
  // CHECK: nested: 1
  printf("nested: %d\n", inNestedTree(inCall));
  return 0;
}
