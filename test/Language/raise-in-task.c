//===- raise-in-task.c - Signals that tasks raise -----------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// They are delivered to the task before raise returns, in whatever thread it
// runs, and those that the program blocks are not.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// VGIW: no

#include "../Support/check.h"
#include <cilk/cilk.h>
#include <pthread.h>
#include <signal.h>

static __thread int handled;
static void handler(int signal) {
  (void)signal;
  ++handled;
}

static int leaf(void) {
  volatile int sum = 0;
  for (int k = 0; k < 20000; ++k)
    sum += k;
  sigset_t mask;
  pthread_sigmask(SIG_SETMASK, NULL, &mask);
  if (!sigismember(&mask, SIGUSR2) || sigismember(&mask, SIGTERM))
    return 0;
  int before = handled;
  raise(SIGUSR1);
  pthread_kill(pthread_self(), SIGTERM);
  return handled == before + 2;
}

static int tree(int low, int high) {
  if (high - low == 1)
    return leaf();
  int middle = (low + high) / 2;
  int a = cilk_spawn tree(low, middle), b = cilk_spawn tree(middle, high);
  cilk_sync;
  return a + b;
}

static int loop(int count) {
  static int results[256];
  cilk_for (int i = 0; i < count; ++i)
    results[i] = leaf();
  int sum = 0;
  for (int i = 0; i < count; ++i)
    sum += results[i];
  return sum;
}

int main(void) {
  sigset_t set;
  signal(SIGUSR1, handler);
  signal(SIGTERM, handler);
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  CHECK_EQUAL(tree(0, 256), 256);
  CHECK_EQUAL(loop(256), 256);
  return 0;
}
