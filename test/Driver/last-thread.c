// last-thread.c - A process whose main ends by pthread_exit ends with its last thread.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime's own threads do not keep it.  alarm() ends the process with a signal if they do.

// RUN: cilk2chan -O2 %s -o %t
// RUN: cilk2chan -O0 -g %s -o %t.0
// RUN: for p in %t %t.0; do for workers in 1 2 8; do for mode in thread root late idle; do CHAN_WORKERS=$workers $p $mode > %t.out && FileCheck --allow-empty --check-prefix=$mode %s < %t.out || exit 1; done; done; done
// thread: 1{{$}}
// root-NOT: not reached
// late: 1{{$}}
// idle-NOT: not reached

// Such a process is ended by SIGTERM, whatever the others do.
// RUN: for workers in 1 2 8; do for mode in terminated terminated-busy; do CHAN_WORKERS=$workers %python -c "import signal, subprocess, sys; sys.exit(subprocess.call(sys.argv[1:]) != -signal.SIGTERM)" %t $mode || exit 1; done; done

// The exit handlers see the runtime as it was, in whatever thread they run.
// RUN: cilk2chan -O1 -fsanitize=address %s -o %t.asan
// RUN: for p in %t %t.asan; do for workers in 1 2 8; do CHAN_WORKERS=$workers $p handler | FileCheck --check-prefix=HANDLER %s || exit 1; done; done
// HANDLER: handler 1{{$}}

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_t first;
static int busy;

static long leaf(void) {
  volatile long sum = 0;
  for (int i = 0; i < 20000; i++)
    sum += i & 1;
  return sum;
}

static long tree(int depth) {
  if (depth == 0)
    return leaf();
  long a = cilk_spawn tree(depth - 1), b = cilk_spawn tree(depth - 1);
  cilk_sync;
  return a + b;
}

static int isRight(void) { return tree(6) == 64 * 10000; }

static void *run(void *unused) {
  printf("%d\n", isRight());
  return unused;
}

static void *runLate(void *unused) {
  pthread_join(first, NULL);
  usleep(250000); // the runtime's threads have ended meanwhile
  return run(unused);
}

static void *computeForever(void *unused) {
  for (;;)
    tree(6);
  return unused;
}

static void *terminate(void *unused) {
  pthread_t other;
  pthread_join(first, NULL);
  if (busy)
    pthread_create(&other, NULL, computeForever, NULL);
  kill(getpid(), SIGTERM);
  for (;;)
    pause();
  return unused;
}

static void handler(void) { printf("handler %d\n", isRight()); }

// A function that spawns is a task to its end.
static void leaveRoot(void) {
  cilk_spawn tree(5);
  tree(5);
  cilk_sync;
  pthread_exit(NULL);
  puts("not reached");
}

int main(int argc, char **argv) {
  const char *mode = argv[argc - 1];
  pthread_t thread;
  void *(*body)(void *) = NULL;
  first = pthread_self();
  alarm(60);
  if (tree(8) != 256 * 10000)
    return 1;
  if (!strcmp(mode, "root"))
    leaveRoot();
  if (!strcmp(mode, "thread"))
    body = run;
  if (!strcmp(mode, "late"))
    body = runLate;
  busy = !strcmp(mode, "terminated-busy");
  if (busy || !strcmp(mode, "terminated"))
    body = terminate;
  if (!strcmp(mode, "handler"))
    atexit(handler);
  if (body)
    pthread_create(&thread, NULL, body, NULL);
  pthread_exit(NULL);
}
