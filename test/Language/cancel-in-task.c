//===- cancel-in-task.c - Cancelling a thread in its tree ---------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The thread ends.  What others run of its tree has ended then, so that nothing
// uses its stack any more, and the rest does not begin.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// VGIW: no

#include "../Support/check.h"
#include <cilk/cilk.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

static int running, runs, outside;

// A point at which the thread is cancelled.  ThreadSanitizer ignores the locks
// of a thread that is cancelled in a call that it intercepts, as usleep.
static void rest(void) {
  sched_yield();
  pthread_testcancel();
}

static void body(int i, int *local) {
  __atomic_fetch_add(&running, 1, __ATOMIC_SEQ_CST);
  __atomic_fetch_add(&runs, 1, __ATOMIC_SEQ_CST);
  __atomic_fetch_add(local, 1, __ATOMIC_SEQ_CST);
  if (i % 16 == 0)
    rest();
  __atomic_fetch_sub(&running, 1, __ATOMIC_SEQ_CST);
}

static void tree(int n, int *local) {
  if (n < 4)
    return body(n, local);
  cilk_spawn tree(n - 1, local);
  cilk_spawn tree(n - 3, local);
  rest();
  cilk_sync;
}

static void cleanup(void *unused) {
  (void)unused;
  outside += __atomic_load_n(&running, __ATOMIC_SEQ_CST);
}

static void *byLoop(void *result) {
  for (;;) {
    int local = 0;
    cilk_for (int i = 0; i < 1000; ++i)
      body(i, &local);
  }
  return result;
}

static void *byTree(void *result) {
  pthread_cleanup_push(cleanup, NULL);
  for (;;) {
    int local = 0;
    tree(12, &local);
  }
  pthread_cleanup_pop(0);
  return result;
}

static void cancel(void *(*what)(void *), int after) {
  pthread_t thread;
  void *result = NULL;
  __atomic_store_n(&runs, 0, __ATOMIC_SEQ_CST);
  CHECK_EQUAL(pthread_create(&thread, NULL, what, NULL), 0);
  while (__atomic_load_n(&runs, __ATOMIC_SEQ_CST) < after)
    usleep(100);
  pthread_cancel(thread);
  pthread_join(thread, &result);
  CHECK_EQUAL(result == PTHREAD_CANCELED, 1);
  // The one that was cancelled in the midst of its own body left it counted.
  CHECK_EQUAL(__atomic_exchange_n(&running, 0, __ATOMIC_SEQ_CST) <= 1, 1);
  int before = __atomic_load_n(&runs, __ATOMIC_SEQ_CST), local = 0;
  tree(6, &local);
  CHECK_EQUAL(__atomic_load_n(&runs, __ATOMIC_SEQ_CST) - before, local);
}

int main(void) {
  for (int round = 0; round < 6; ++round) {
    cancel(byLoop, 30 * round);
    cancel(byTree, 30 * round);
  }
  CHECK_EQUAL(outside <= 6, 1);
  return 0;
}
