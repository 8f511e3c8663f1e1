//===- locks.c - Calls of spawning functions under a lock ---------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A task that waits for what it calls makes no way for others that want the
// lock: that would be the end of it with a single thread.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// LIBS: -lpthread
// TIMEOUT: 20

#include "../Support/check.h"
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>

enum { Tasks = 60 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
static sem_t semaphore;
static long total;

static int fib(int n) {
  if (n < 2)
    return n;
  int x = cilk_spawn fib(n - 1);
  int y = fib(n - 2);
  cilk_sync;
  return x + y;
}

static int by_name(int n) {
  pthread_mutex_lock(&mutex);
  total += fib(n);
  pthread_mutex_unlock(&mutex);
  int x = cilk_spawn fib(2), y = fib(3);
  cilk_sync;
  return x + y;
}

static int by_attempt(int n) {
  int x = cilk_spawn fib(2);
  while (pthread_mutex_trylock(&other))
    sched_yield();
  total += fib(n);
  pthread_mutex_unlock(&other);
  int y = fib(3);
  cilk_sync;
  return x + y;
}

static int by_semaphore(int n) {
  int x = cilk_spawn fib(2);
  sem_wait(&semaphore);
  total += fib(n);
  sem_post(&semaphore);
  int y = fib(3);
  cilk_sync;
  return x + y;
}

static void take(int check) {
  if (check)
    pthread_mutex_lock(&mutex);
  else
    pthread_mutex_lock(&mutex);
}
static void take_for(int check) { take(check); }
static void release(void) { pthread_mutex_unlock(&mutex); }

static int by_helper(int n) {
  int x = cilk_spawn fib(2);
  take_for(n);
  total += fib(n);
  release();
  int y = fib(3);
  cilk_sync;
  return x + y;
}

static void run(int (*function)(int)) {
  int results[Tasks];
  total = 0;
  for (int i = 0; i < Tasks; i++)
    results[i] = cilk_spawn function(i % 10);
  cilk_sync;
  for (int i = 0; i < Tasks; i++)
    CHECK_EQUAL(results[i], 3);
  CHECK_EQUAL(total, Tasks / 10 * 88);
}

static void run_known(void) {
  int results[Tasks];
  total = 0;
  for (int i = 0; i < Tasks; i++)
    results[i] = cilk_spawn by_name(i % 10);
  cilk_sync;
  for (int i = 0; i < Tasks; i++)
    CHECK_EQUAL(results[i], 3);
  CHECK_EQUAL(total, Tasks / 10 * 88);
}

static void in_loop(void) {
  total = 0;
  cilk_for (int i = 0; i < Tasks; i++) {
    pthread_mutex_lock(&mutex);
    total += fib(i % 10);
    pthread_mutex_unlock(&mutex);
  }
  CHECK_EQUAL(total, Tasks / 10 * 88);
}

int main(void) {
  sem_init(&semaphore, 0, 1);
  run_known();
  in_loop();
  run(by_name);
  run(by_attempt);
  run(by_semaphore);
  run(by_helper);
  printf("%ld\n", total);
  return 0;
}
