// thread-leaks.c - exit() in a task leaves no thread that is neither joined nor detached.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ThreadSanitizer reports such threads.  Where idle threads end while the
// process does, one in twenty runs had one.

// RUN: cilk2chan -w -O2 -fsanitize=thread %s -o %t
// RUN: seq 100 | env CHAN_WORKERS=8 TSAN_OPTIONS=exitcode=66 xargs -P 6 -I {} %t {}

#include <stdlib.h>

static int work(int n) {
  if (n < 2)
    return n;
  int a = cilk_spawn work(n - 1);
  int b = work(n - 2);
  cilk_sync;
  return a + b;
}

static void finish(int n) {
  if (n == 0)
    exit(0);
  cilk_spawn finish(n - 1);
  cilk_sync;
}

int main(void) {
  if (work(21) != 10946)
    return 2;
  cilk_spawn finish(3);
  cilk_sync;
  return 1;
}
