/*===- for-parallel.c - Iterations run at the same time
--------------------===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
// As many iterations as workers meet in the middle of their bodies, whether the
// bodies spawn or not. With a grain of all iterations nobody would come.
//
// RUN: cilk2chan -w -O2 %s -I%source/test/Support -o %t
// RUN: CHAN_WORKERS=4 %t plain && CHAN_WORKERS=2 %t plain
// RUN: CHAN_WORKERS=4 %t spawning && CHAN_WORKERS=2 %t spawning
// RUN: CHAN_WORKERS=4 %t grain && CHAN_WORKERS=2 %t grain
//
// A million small iterations of either kind keep within bounds.
// RUN: CHAN_WORKERS=2 %t memory
// RUN: CHAN_WORKERS=1 %t memory

#include "check.h"
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static int arrived;

/// Waits until `count` callers are here, for half a minute at most.
static int meet(int count) {
  time_t begun = time(NULL);
  __atomic_add_fetch(&arrived, 1, __ATOMIC_SEQ_CST);
  while (__atomic_load_n(&arrived, __ATOMIC_SEQ_CST) < count) {
    if (time(NULL) - begun > 30)
      return 0;
    usleep(100);
  }
  return 1;
}

static int one(int n) { return n; }

static void memory(void) {
  long sum = 0;
  cilk_for(long i = 0; i < 10000000; i++)
      __atomic_add_fetch(&sum, i & 1, __ATOMIC_RELAXED);
  CHECK_EQUAL(sum, 5000000);
  cilk_for(int i = 0; i < 1000000; i++) {
    char board[100];
    long a = cilk_spawn one(i), b = cilk_spawn one(1);
    cilk_sync;
    board[a % 100] = b;
    __atomic_add_fetch(&sum, board[i % 100], __ATOMIC_RELAXED);
  }
  CHECK_EQUAL(sum, 6000000);
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  CHECK(usage.ru_maxrss < 64 * 1024);
}

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;
  if (!strcmp(argv[1], "memory")) {
    memory();
    return 0;
  }
  int workers = atoi(getenv("CHAN_WORKERS")), met = 0;
  if (!strcmp(argv[1], "plain"))
    cilk_for(int i = 0; i < workers; i++)
        __atomic_add_fetch(&met, meet(workers), __ATOMIC_SEQ_CST);
  if (!strcmp(argv[1], "spawning"))
    cilk_for(int i = 0; i < workers; i++) {
      int x = cilk_spawn one(i);
      cilk_sync;
      __atomic_add_fetch(&met, meet(workers), __ATOMIC_SEQ_CST);
    }
  if (!strcmp(argv[1], "grain"))
#pragma cilk grainsize 2
    cilk_for(int i = 0; i < 2 * workers; i++) if (i % 2)
        __atomic_add_fetch(&met, meet(workers), __ATOMIC_SEQ_CST);
  CHECK_EQUAL(met, workers);
  return 0;
}
