// trace.c - What CHAN_TRACE writes.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -w -O2 -fno-chan-batch -fno-chan-serial-clones %s -o %t.kernels
// RUN: cilk2chan -w -O2 -fchan-batch -fno-chan-reductions -fchan-lanes=4 %s -o %t.batches
// RUN: CHAN_WORKERS=1 CHAN_WIDTH=2 CHAN_TRACE=%t.fib.json %t.kernels fib 20
// RUN: CHAN_WORKERS=1 CHAN_TRACE=%t.batch.json %t.batches fib 20
// RUN: CHAN_WORKERS=2 CHAN_TRACE=%t.sleep.json %t.kernels sleep 8
// RUN: CHAN_WORKERS=2 CHAN_TRACE=%t.exit.json %t.kernels exit 8
// RUN: CHAN_WORKERS=2 CHAN_TRACE=%t.race.json %t.kernels race 2
// RUN: CHAN_WORKERS=1 CHAN_WIDTH=1 CHAN_TRACE=%t.long.json CHAN_STATS=%t.stats.json %t.kernels fib 26
// RUN: %python %S/Inputs/trace.py %t.fib.json %t.batch.json %t.sleep.json %t.exit.json %t.race.json %t.long.json %t.stats.json

// RUN: CHAN_TRACE=%t.none/file not %t.kernels fib 3 2>&1 | FileCheck --check-prefix=UNWRITABLE %s
// UNWRITABLE: cilk2chan: cannot write '{{.*}}.none/file' (CHAN_TRACE): {{No such file|Not a directory}}
// RUN: CHAN_WORKERS=1 CHAN_TRACE=/dev/full not %t.kernels fib 3 2>&1 | FileCheck --check-prefix=FULL %s
// FULL: cilk2chan: cannot write '/dev/full' (CHAN_TRACE): No space left
// RUN: CHAN_TRACE= %t.kernels fib 3 2>&1 | count 0

#include <stdlib.h>
#include <string.h>
#include <time.h>

static long fib(int n) {
  if (n < 2)
    return n;
  long x = cilk_spawn fib(n - 1);
  long y = fib(n - 2);
  cilk_sync;
  return x + y;
}

static int ends;
__attribute__((noinline)) static void wait20(int number) {
  nanosleep(&(struct timespec){0, 20000000}, NULL);
  if (number == ends)
    exit(0);
}

static void doze(int n, int number) {
  if (n == 0)
    return wait20(number);
  for (int i = 0; i < n; i++)
    cilk_spawn doze(0, i + 1);
  cilk_sync;
}

// Ends the process while fib runs, and goes on doing so as the trace is written.
static volatile long result;
static void race(int n) {
  if (n == 0) {
    wait20(0);
    exit(0);
  }
  if (n == 1) {
    result = fib(40);
    return;
  }
  cilk_spawn race(0);
  cilk_spawn race(1);
  cilk_sync;
}

int main(int argc, char **argv) {
  int n = atoi(argv[2]);
  if (!strcmp(argv[1], "fib"))
    return fib(n) == 0;
  if (!strcmp(argv[1], "race"))
    race(n);
  ends = !strcmp(argv[1], "exit") ? 5 : 100;
  doze(n, 0);
  return ends == 5;
}
