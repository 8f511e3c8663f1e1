// block.c - How many elements blocks have.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A pragma says so of a function and of its loops; the switch of all others, and
// of spawns through pointers. Continuations have room for all that have begun.
// RUN: cilk2chan -O2 --emit=mlir %s | FileCheck --check-prefix=PRAGMA --implicit-check-not="width {{[^6]}}" %s
// RUN: cilk2chan -O2 -fchan-block=7 -fchan-block=100 --emit=mlir %s | FileCheck --check-prefixes=PRAGMA,SWITCH %s
// PRAGMA-DAG: chan.stack entry @count.entry({{.*}} width 64 :
// PRAGMA-DAG: chan.stack entry @__cilk_range.{{[0-9]+}}.entry({{.*}} width 64 :
// SWITCH-DAG: chan.stack entry @sum.entry({{.*}} width 100 :
// SWITCH-DAG: chan.stack entry @call.0.entry({{.*}} width 100 :
// SWITCH-NOT: continuation {{.*}} width

// That many wait, so most of these elements are counted before the loop is over.
// RUN: cilk2chan -O2 -fno-chan-serial-clones %s -o %t
// RUN: cilk2chan -O2 -fno-chan-serial-clones -fchan-block=16 %s -o %t.16
// RUN: export CHAN_WORKERS=1; %t | FileCheck --check-prefix=WAIT -DCOUNT=64 -DSUM=4096 %s
// RUN: export CHAN_WORKERS=1; %t.16 | FileCheck --check-prefix=WAIT -DCOUNT=64 -DSUM=16 %s
// What the environment says counts for all.
// RUN: CHAN_WORKERS=1 CHAN_WIDTH=1000 %t.16 | FileCheck --check-prefix=WAIT -DCOUNT=1000 -DSUM=1000 %s
// WAIT: 6000 of 6000, at most [[COUNT]] waited
// WAIT-NEXT: 6000 of 6000, at most [[SUM]] waited

#include <stdio.h>

static int spawned, done, most;

static void note(int *counter) {
  ++*counter;
  if (spawned - done > most)
    most = spawned - done;
}

#pragma chan block(64)
static void count(int left) {
  if (!left) {
    note(&done);
    return;
  }
  cilk_for (int i = 0; i < left; i++)
    left += i == left;
  for (int i = 0; i < left; i++) {
    cilk_spawn count(0);
    note(&spawned);
  }
  cilk_sync;
}

static void (*volatile pointer)(int);
static void sum(int left) {
  if (!left) {
    note(&done);
    return;
  }
  for (int i = 0; i < left; i++) {
    cilk_spawn sum(0);
    note(&spawned);
  }
  if (pointer)
    cilk_spawn pointer(left);
  cilk_sync;
}

static void report(void) {
  printf("%d of %d, at most %d waited\n", done, spawned, most);
  spawned = done = most = 0;
}

int main(void) {
  count(6000);
  report();
  sum(6000);
  report();
}
