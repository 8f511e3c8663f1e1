//===- threads-foreign.c - Threads of the program's own -----------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads that the program made call spawning functions, all at once, again and
// again, while main does the same; some end and others begin.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// LIBS: -lpthread
// VGIW-SAMPLE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>
#include <pthread.h>

enum { Threads = 4, Rounds = 3 };

static long fib(int n) {
  if (n < 2)
    return n;
  long x = cilk_spawn fib(n - 1);
  long y = cilk_spawn fib(n - 2);
  cilk_sync;
  return x + y;
}

struct job {
  int n;
  long result;
};

static void *run(void *argument) {
  struct job *job = argument;
  for (int round = 0; round < Rounds; ++round)
    job->result = fib(job->n);
  return NULL;
}

int main(void) {
  static const long expected[] = {610, 987, 1597, 2584};
  for (int generation = 0; generation < 3; ++generation) {
    pthread_t threads[Threads];
    struct job jobs[Threads];
    for (int i = 0; i < Threads; ++i) {
      jobs[i].n = 15 + i;
      CHECK(pthread_create(&threads[i], NULL, run, &jobs[i]) == 0);
    }
    CHECK_EQUAL(fib(16), 987);
    for (int i = 0; i < Threads; ++i) {
      pthread_join(threads[i], NULL);
      CHECK_EQUAL(jobs[i].result, expected[i]);
    }
  }
  puts("threads");
  return 0;
}
