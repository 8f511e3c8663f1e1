//===- exit-in-task.c - exit inside a task ------------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// exit in the middle of the tree, with parents waiting: buffers are flushed,
// the handlers run, and nobody waits for anybody.
//
//===----------------------------------------------------------------------===//
// EXPECT-EXIT: 7
// TIMEOUT: 20

#include "../Support/check.h"
#include <cilk/cilk.h>

static void handler(void) { puts("handler"); }

static int dive(int n) {
  if (n == 0) {
    printf("exiting\n");
    exit(7);
  }
  int below = cilk_spawn dive(n - 1);
  cilk_sync;
  return below;
}

int main(void) {
  atexit(handler);
  int result = cilk_spawn dive(50);
  cilk_sync;
  printf("not reached %d\n", result);
  return 1;
}
